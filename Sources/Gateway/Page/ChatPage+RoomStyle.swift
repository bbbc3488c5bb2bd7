extension ChatPage {
  /// The channel: bar, messages, menu, composer.
  static let roomStyle = #"""
    /* The room. */

    .room {
      height: 100dvh;
      max-width: 800px;
      margin: 0 auto;
      display: flex;
      flex-direction: column;
      background: var(--paper);
    }

    .bar {
      display: flex;
      align-items: center;
      gap: .75rem;
      padding: max(.7rem, env(safe-area-inset-top)) 1rem .7rem;
      border-bottom: 1px solid var(--line);
    }

    .bar-text { flex: 1; min-width: 0; }

    .bar h1, .bar-text p { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }

    .bar h1 { font-size: 1.125rem; line-height: 1.3; font-weight: 700; letter-spacing: -.01em; }

    .bar-text p { font-size: .8125rem; color: var(--soft); }

    .status {
      font-size: .8125rem;
      color: var(--soft);
      display: flex;
      align-items: center;
      gap: .4rem;
      text-align: right;
      max-width: 45%;
      line-height: 1.25;
    }

    .status::before {
      content: "";
      flex: none;
      width: .5rem;
      height: .5rem;
      border-radius: 50%;
      background: var(--warn);
    }
    .status[data-state="online"]::before { background: #2f9e6e; }
    .status[data-state="stopped"]::before { background: var(--alarm); }

    .quiet {
      min-height: 40px;
      padding: .3rem .9rem;
      background: transparent;
      border: 1px solid var(--field-line);
      border-radius: 999px;
      font-size: .9375rem;
      font-weight: 600;
    }

    .quiet:hover, .pill:hover { background: var(--raised); }

    .stage { position: relative; flex: 1; min-height: 0; }

    .scroller {
      height: 100%;
      overflow-y: auto;
      overflow-anchor: none;
      overscroll-behavior: contain;
      padding: 1rem;
      display: flex;
      flex-direction: column;
    }

    .scroller:focus-visible { outline-offset: -3px; }

    .welcome { margin-bottom: .25rem; }

    .welcome li {
      border-left: 3px solid var(--accent);
      background: var(--raised);
      border-radius: 4px 12px 12px 4px;
      padding: .6rem .85rem;
      margin-bottom: .5rem;
      font-size: .9375rem;
      white-space: pre-wrap;
    }

    .older { text-align: center; }

    .pill {
      min-height: 40px;
      margin: .25rem 0 .5rem;
      padding: .3rem 1rem;
      background: var(--paper);
      border: 1px solid var(--line);
      border-radius: 999px;
      font-size: .875rem;
      font-weight: 600;
      color: var(--accent);
    }

    .newer {
      position: absolute;
      left: 50%;
      bottom: .4rem;
      transform: translateX(-50%);
      box-shadow: var(--shadow);
    }

    .empty { margin: auto; padding: 2rem 1rem; text-align: center; color: var(--soft); max-width: 26rem; }

    .list { margin-top: auto; }

    .day {
      display: flex;
      align-items: center;
      gap: .8rem;
      margin: 1.1rem 0 .4rem;
      color: var(--soft);
      font-size: .8125rem;
      font-weight: 600;
    }
    .day::before, .day::after { content: ""; flex: 1; height: 1px; background: var(--line); }

    .system {
      text-align: center;
      color: var(--soft);
      font-size: .875rem;
      margin: .6rem 1rem;
      white-space: pre-wrap;
    }

    .message {
      position: relative;
      display: flex;
      flex-direction: column;
      align-items: flex-start;
      padding-left: 2.75rem;
      margin-top: .8rem;
    }
    .message.follows { margin-top: .2rem; }
    .message.own { align-items: flex-end; padding-left: 3.5rem; }

    .avatar {
      position: absolute;
      left: 0;
      top: 0;
      width: 2.1rem;
      height: 2.1rem;
      border-radius: 50%;
      display: grid;
      place-items: center;
      font-size: .8125rem;
      font-weight: 700;
      color: #fff;
      background: #6a5f4b;
    }

    .hue1 { background: #9a4a2f; }
    .hue2 { background: #2c6a8c; }
    .hue3 { background: #7a4b8b; }
    .hue4 { background: #56702a; }
    .hue5 { background: #a03d62; }
    .hue6 { background: #3c5da0; }
    .hue7 { background: #8a6410; }

    .who { font-size: .8125rem; font-weight: 600; color: var(--soft); margin: 0 0 .15rem .1rem; }

    .line { display: flex; align-items: center; gap: .3rem; max-width: min(100%, 34rem); min-width: 0; }
    .own .line { flex-direction: row-reverse; }

    .bubble {
      min-width: 0;
      padding: .5rem .8rem;
      border-radius: var(--radius);
      background: var(--raised);
      white-space: pre-wrap;
    }
    .message:not(.own):not(.follows) .bubble { border-top-left-radius: 6px; }
    .own .bubble { background: var(--own); color: var(--own-ink); }
    .own:not(.follows) .bubble { border-top-right-radius: 6px; }
    .bubble.emoji { background: transparent; padding: 0 .2rem; font-size: 2.25rem; line-height: 1.2; }
    .pending .bubble { opacity: .75; }
    .failed .bubble { background: var(--alarm-ground); color: var(--alarm); border: 1px solid currentcolor; }

    .bubble a { color: var(--accent); text-underline-offset: 2px; }
    .own .bubble a, .mention { color: inherit; font-weight: 600; }
    .bubble code {
      font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
      background: rgb(128 128 128 / 18%);
      border-radius: 5px;
      padding: .1em .3em;
    }
    .bubble pre {
      margin: .25rem 0;
      padding: .5rem .65rem;
      overflow-x: auto;
      background: rgb(128 128 128 / 18%);
      border-radius: 10px;
    }
    .bubble pre code { background: none; padding: 0; white-space: pre; overflow-wrap: normal; }
    .bubble ul { list-style: disc; padding-left: 1.2rem; }
    .bubble blockquote, .quote {
      margin: 0 0 .3rem;
      padding: .05rem 0 .05rem .6rem;
      border-left: 3px solid currentcolor;
      opacity: .8;
    }
    .quote { font-size: .875rem; max-height: 4.4em; overflow: hidden; }
    .quote b { display: block; }

    .meta {
      display: flex;
      flex-wrap: wrap;
      gap: .15rem .5rem;
      align-items: center;
      font-size: .75rem;
      color: var(--soft);
      margin: .15rem .3rem 0;
    }
    .failed .meta { color: var(--alarm); font-size: .8125rem; }

    .own .meta { justify-content: flex-end; }

    .more { position: relative; flex: none; }
    .more > button {
      width: 32px;
      height: 32px;
      border: 0;
      border-radius: 50%;
      background: transparent;
      color: var(--soft);
      font-weight: 700;
      line-height: 1;
    }
    .more > button:hover, .more > button[aria-expanded="true"] { background: var(--raised); }
    @media (hover: hover) {
      .more > button { opacity: 0; }
      .message:hover .more > button, .more > button:focus-visible, .more > button[aria-expanded="true"] {
        opacity: 1;
      }
    }

    .menu {
      position: absolute;
      right: 0;
      bottom: 100%;
      z-index: 2;
      min-width: 8rem;
      padding: .3rem;
      background: var(--paper);
      border: 1px solid var(--line);
      border-radius: 12px;
      box-shadow: var(--shadow);
    }
    .menu.below { top: 100%; bottom: auto; }
    .menu button {
      display: block;
      width: 100%;
      min-height: 40px;
      padding: .3rem .7rem;
      border: 0;
      border-radius: 8px;
      background: transparent;
      text-align: left;
    }
    .menu button:hover, .menu button:focus { background: var(--raised); }
    .menu .danger { color: var(--alarm); }

    .link {
      border: 0;
      padding: .2rem .3rem;
      background: none;
      color: inherit;
      font-weight: 700;
      text-decoration: underline;
      text-underline-offset: 2px;
    }

    .typing {
      height: 1.6rem;
      padding: 0 1.1rem;
      font-size: .8125rem;
      color: var(--soft);
      white-space: nowrap;
      overflow: hidden;
      text-overflow: ellipsis;
    }

    .composer {
      display: grid;
      grid-template-columns: 1fr auto;
      gap: .5rem;
      align-items: end;
      padding: .25rem 1rem max(.75rem, env(safe-area-inset-bottom));
    }

    .composer textarea {
      min-height: 48px;
      max-height: 9.5rem;
      padding: .68rem 1rem;
      resize: none;
      background: var(--ground);
      border: 1px solid var(--field-line);
      border-radius: 24px;
      line-height: 1.45;
    }

    .composer textarea:focus-visible, .field input:focus-visible {
      outline-offset: -1px;
      outline-width: 2px;
      border-color: var(--accent);
    }

    .round { width: 48px; height: 48px; padding: 0; border-radius: 50%; display: grid; place-items: center; }
    .round svg {
      width: 24px;
      height: 24px;
      fill: none;
      stroke: currentcolor;
      stroke-width: 2.2;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    .round:disabled { background: var(--raised); color: var(--soft); opacity: 1; }

    .editing {
      grid-column: 1 / -1;
      display: flex;
      justify-content: space-between;
      align-items: center;
      font-size: .875rem;
      color: var(--soft);
      padding: 0 .4rem;
    }

    .notice { grid-column: 1 / -1; font-size: .875rem; color: var(--alarm); padding: 0 .4rem; }

    .hint { grid-column: 1 / -1; font-size: .75rem; color: var(--soft); padding-left: 1.05rem; }
    @media (max-width: 640px), (hover: none) { .hint { display: none; } }

    @media (min-width: 840px) {
      .room {
        height: calc(100dvh - 3rem);
        margin: 1.5rem auto;
        border: 1px solid var(--line);
        border-radius: 24px;
        box-shadow: var(--shadow);
        overflow: hidden;
      }
      .bar { padding: 1rem 1.5rem; }
      .scroller { padding: 1.25rem 1.5rem; }
      .typing { padding: 0 1.6rem; }
      .composer { padding: .25rem 1.5rem 1rem; }
    }

    @media (prefers-reduced-motion: no-preference) {
      .card, .menu { animation: rise .18s ease-out; }
      @keyframes rise { from { opacity: 0; transform: translateY(6px); } }
    }

    @media (forced-colors: active) {
      .bubble, .avatar, .menu, .primary { border: 1px solid; }
    }
    """#
}
