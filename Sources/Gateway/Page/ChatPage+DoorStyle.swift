extension ChatPage {
  /// Colours, type, and the form where a name and a channel are given.
  static let doorStyle = #"""
    :root {
      color-scheme: light dark;
      --ground: #f4f2ec;
      --paper: #fffefb;
      --raised: #f0ede4;
      --line: #e2ddd0;
      --field-line: #8f897a;
      --ink: #1f211d;
      --soft: #666455;
      --accent: #246350;
      --accent-ink: #ffffff;
      --own: #246350;
      --own-ink: #ffffff;
      --own-soft: #cfe4da;
      --alarm: #a5301f;
      --alarm-ground: #fbe9e4;
      --warn: #b7791f;
      --shadow: 0 1px 2px rgb(40 36 20 / 6%), 0 12px 40px rgb(40 36 20 / 8%);
      --radius: 18px;
    }

    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #131614;
        --paper: #1a1e1b;
        --raised: #272d29;
        --line: #2e3530;
        --field-line: #6d776f;
        --ink: #e9ebe4;
        --soft: #a3aa9f;
        --accent: #7cc7a8;
        --accent-ink: #0e1f18;
        --own: #2b6a55;
        --own-ink: #f5fbf7;
        --own-soft: #c4e0d4;
        --alarm: #ff9d8a;
        --alarm-ground: #3a211c;
        --warn: #e0b056;
        --shadow: 0 1px 2px rgb(0 0 0 / 30%), 0 12px 40px rgb(0 0 0 / 35%);
      }
    }

    *, *::before, *::after { box-sizing: border-box; }

    [hidden] { display: none !important; }

    html, body { height: 100%; }

    body {
      margin: 0;
      background: var(--ground);
      color: var(--ink);
      font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
      overflow-wrap: anywhere;
      -webkit-text-size-adjust: 100%;
    }

    h1, p, ul, ol { margin: 0; padding: 0; }

    ul, ol { list-style: none; }

    button, input, textarea { font: inherit; color: inherit; }

    button { cursor: pointer; touch-action: manipulation; }

    button:disabled { cursor: default; }

    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

    .sr {
      position: absolute;
      width: 1px;
      height: 1px;
      margin: -1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }

    .noscript { padding: 2rem; text-align: center; }

    /* The door: name and channel. */

    .door {
      min-height: 100dvh;
      display: grid;
      place-items: center;
      padding: 1.25rem;
    }

    .card {
      width: min(100%, 25rem);
      padding: 2.25rem 2rem 2rem;
      background: var(--paper);
      border: 1px solid var(--line);
      border-radius: 24px;
      box-shadow: var(--shadow);
    }

    .mark { width: 44px; height: 44px; display: block; margin: 0 0 .9rem -3px; }
    .mark-body { fill: var(--accent); }
    .mark-lines { stroke: var(--accent-ink); stroke-width: 2.6; stroke-linecap: round; }

    .card h1 { font-size: 1.75rem; line-height: 1.15; letter-spacing: -.02em; font-weight: 700; }

    .lead { text-wrap: balance; color: var(--soft); margin: .3rem 0 1.5rem; }

    .field { margin-bottom: 1.1rem; }

    .field label { display: block; font-size: .875rem; font-weight: 600; margin-bottom: .35rem; }

    .field input {
      width: 100%;
      min-height: 48px;
      padding: .6rem .85rem;
      background: var(--ground);
      border: 1px solid var(--field-line);
      border-radius: 12px;
    }

    ::placeholder { color: var(--soft); opacity: 1; }

    .help { font-size: .8125rem; color: var(--soft); margin-top: .4rem; }

    .door-error {
      background: var(--alarm-ground);
      color: var(--alarm);
      border-radius: 12px;
      padding: .7rem .85rem;
      margin: -.25rem 0 1.1rem;
      font-size: .9375rem;
    }

    .primary {
      border: 0;
      border-radius: 12px;
      min-height: 48px;
      padding: .6rem 1.1rem;
      background: var(--accent);
      color: var(--accent-ink);
      font-weight: 600;
    }

    .primary:hover:not(:disabled) { filter: brightness(1.08); }
    .primary:active:not(:disabled) { filter: brightness(.95); }
    .primary:disabled { opacity: .55; }

    .card .primary { width: 100%; margin-top: .4rem; }
    """#
}
