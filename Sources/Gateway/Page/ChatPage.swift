/// The chat page that the gateway serves at `/`: one document without outside resources.
///
/// It has exactly one `<style>`, whose content is ``style``, and one `<script>`, whose content is ``script``, so that a
/// Content-Security-Policy can name both by their SHA-256. It needs no more than
/// `default-src 'none'; style-src 'sha256-…'; script-src 'sha256-…'; connect-src 'self'; img-src data:` (the icon),
/// and works with `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`.
package enum ChatPage {
  /// The content of the one `<style>` element.
  package static let style = [doorStyle, roomStyle, reactionStyle].joined(separator: "\n\n")

  /// The content of the one `<script>` element.
  package static let script = [
    connectionScript, messageScript, entryScript, sendingScript, channelScript, controlsScript,
  ].joined(separator: "\n\n")

  /// The whole document, HTML in UTF-8.
  package static let html = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#f4f2ec" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="#131614" media="(prefers-color-scheme: dark)">
    <title>Parley</title>
    <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E
      %3Cpath fill='%23246350' d='M6 4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H15l-7 6v-6H6a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z'/%3E
      %3Cpath stroke='%23fff' stroke-width='2.6' stroke-linecap='round' d='M9 11.5h14M9 17h8'/%3E%3C/svg%3E">
    <style>\#(style)</style>
    </head>
    <body>
    <noscript><p class="noscript">This page needs JavaScript for its WebSocket.</p></noscript>

    <main id="door" class="door" hidden>
      <form id="join-form" class="card" novalidate autocomplete="off">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
          <path class="mark-body" d="M6 4h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H15l-7 6v-6H6a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z"/>
          <path class="mark-lines" d="M9 11.5h14M9 17h8"/>
        </svg>
        <h1>Parley</h1>
        <p class="lead">Pick a name and a channel, and talk.</p>
        <p id="door-error" class="door-error" role="alert" data-testid="error" hidden></p>
        <div class="field" id="name-field">
          <label for="name">Name</label>
          <input id="name" data-testid="name" maxlength="80" placeholder="A Naughty Moose"
            autocomplete="nickname" autocapitalize="words" spellcheck="false" enterkeyhint="next">
        </div>
        <div class="field" id="token-field" hidden>
          <label for="token">Token</label>
          <input id="token" data-testid="token" type="password" placeholder="Paste it here" autocomplete="off"
            autocapitalize="none" spellcheck="false" aria-describedby="token-help">
          <p id="token-help" class="help">This gateway lets in people with a token. It stays in this tab.</p>
        </div>
        <div class="field">
          <label for="channel">Channel</label>
          <input id="channel" data-testid="channel" maxlength="92" placeholder="General" spellcheck="false" enterkeyhint="go">
        </div>
        <button id="join" class="primary" data-testid="join" type="submit">Join</button>
      </form>
    </main>

    <main id="room" class="room" hidden>
      <header class="bar">
        <div class="bar-text">
          <h1 id="title" data-testid="title"></h1>
          <p id="people" data-testid="people"></p>
        </div>
        <p id="status" class="status" role="status" data-testid="status"></p>
        <button id="leave" class="quiet" data-testid="leave" type="button">Leave</button>
      </header>

      <section id="pinned" class="pinned" aria-label="Pinned message" data-testid="pinned" hidden></section>

      <div class="stage">
        <div id="scroller" class="scroller" tabindex="0" role="log" aria-live="off" aria-label="Messages">
          <ul id="welcome" class="welcome" aria-label="Welcome" data-testid="welcome"></ul>
          <div class="older">
            <button id="older" class="pill" data-testid="older" type="button" hidden>Earlier messages</button>
            <p id="cap" class="help" hidden>Only the latest 200 messages are shown.</p>
          </div>
          <p id="empty" class="empty" data-testid="empty" hidden></p>
          <ol id="list" class="list" data-testid="list"></ol>
        </div>
        <button id="newer" class="pill newer" data-testid="newer" type="button" hidden>New messages</button>
      </div>

      <p id="typing" class="typing" data-testid="typing" aria-live="polite"></p>

      <form id="composer" class="composer" novalidate autocomplete="off">
        <p id="editing" class="editing" hidden>
          <span>Editing your message</span>
          <button id="cancel-edit" class="link" type="button">Cancel</button>
        </p>
        <p id="notice" class="notice" role="alert" data-testid="notice" hidden></p>
        <label for="input" class="sr">Message</label>
        <textarea id="input" data-testid="input" rows="1" placeholder="Write a message" enterkeyhint="send"
          aria-describedby="input-help"></textarea>
        <button id="send" class="primary round" data-testid="send" type="submit" disabled>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 12h15M12.5 5.5 19 12l-6.5 6.5"/></svg>
          <span class="sr" id="send-label">Send</span>
        </button>
        <p id="input-help" class="hint">Enter sends, Shift and Enter starts a new line.</p>
      </form>
      <p id="announce" class="sr" aria-live="polite"></p>
    </main>
    <script>\#(script)</script>
    </body>
    </html>
    """#
}
