extension ChatPage {
  /// Reactions, the emoji of a message's menu, and the pinned message.
  static let reactionStyle = #"""
    /* Reactions and the pinned message. */

    .reactions { display: flex; flex-wrap: wrap; gap: .3rem; margin: .25rem 0 .3rem; }
    .reactions button {
      border: 1px solid var(--line);
      border-radius: 999px;
      padding: 0 .5rem;
      background: transparent;
      color: inherit;
      font-size: .8125rem;
      line-height: 1.6rem;
    }
    .reactions button:hover { background: var(--raised); }
    .reactions .mine { border-color: var(--accent); font-weight: 700; }

    .emojis { display: flex; gap: .1rem; border-top: 1px solid var(--line); padding-top: .2rem; }
    .menu .emojis button { width: 40px; padding: 0; text-align: center; font-size: 1.25rem; }
    .menu .emojis .mine { background: var(--raised); outline: 1px solid var(--accent); outline-offset: -1px; }

    .pinned {
      display: flex;
      align-items: center;
      gap: .5rem;
      padding: .25rem 1rem;
      border-bottom: 1px solid var(--line);
      background: var(--raised);
      font-size: .875rem;
    }
    .pinned-text {
      flex: 1;
      min-width: 0;
      min-height: 40px;
      border: 0;
      background: none;
      color: inherit;
      text-align: left;
      white-space: nowrap;
      overflow: hidden;
      text-overflow: ellipsis;
    }

    @media (forced-colors: active) {
      .reactions button, .pinned { border: 1px solid; }
    }
    """#
}
