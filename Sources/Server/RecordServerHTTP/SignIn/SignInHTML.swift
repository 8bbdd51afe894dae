import HTTPServer
import ServerAccess

/// The pages of a sign-in: plain HTML that works without anything from elsewhere.
enum SignInHTML {
  /// A page with headers that let nothing in: no frames, no scripts but our own.
  static func answer(_ html: Page, status: Int = 200) -> Answer {
    var answer = Answer.text(
      html.text, type: "text/html; charset=utf-8", status: HTTPStatus(status))
    answer.response.headers.append(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; form-action 'self' https: http:; "
        + "frame-ancestors 'none'; base-uri 'none'")
    answer.response.headers.append("X-Content-Type-Options", "nosniff")
    answer.response.headers.append("Referrer-Policy", "same-origin")
    answer.response.headers.append("Cache-Control", "no-store")
    return answer
  }

  /// A page.
  struct Page: Sendable {
    var text: String
  }

  /// The form for name and password.
  static func form(_ page: SignInPage, message: String?) -> Page {
    let note = message.map { "<p class=\"note\" role=\"alert\">\(escaped($0))</p>" } ?? ""
    return Page(
      text: document(
        """
        <h1>Sign in</h1>
        <p>to <b>\(escaped(page.name))</b> (\(escaped(page.place.description)))</p>
        \(note)
        <form method="post">
        <label>Name <input name="name" autocomplete="username" required autofocus></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
        <label class="line"><input name="keep" type="checkbox"> Keep me signed in</label>
        <button>Sign in</button>
        </form>
        """))
  }

  /// A page that only says something.
  static func message(_ text: String) -> Page {
    Page(text: document("<h1>Sign in</h1>\n<p>\(escaped(text))</p>"))
  }

  /// Posts the token to the page that opened this one, and to no other.
  static func handOver(_ token: String, to origin: String) -> Page {
    // The script is the same for everybody: what differs stands in attributes, where text is text.
    Page(
      text: document(
        """
        <h1>Signed in</h1>
        <p>You can close this window.</p>
        <div id="hand-over" data-token="\(escaped(token))" data-origin="\(escaped(origin))"></div>
        <script src="signin.js"></script>
        """))
  }

  /// What both generations of CloudKit's own script read.
  static let script = """
    const d=document.getElementById("hand-over").dataset;\
    if(window.opener){window.opener.postMessage({ckWebAuthToken:d.token,ckSession:d.token},d.origin);\
    window.close()}
    """

  private static func document(_ body: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sign in</title>
    <style>
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 22rem; margin: 10vh auto; padding: 0 1rem; }
    label { display: block; margin: 0 0 1rem; }
    input:not([type=checkbox]) { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .4rem; }
    button { font: inherit; padding: .4rem 1.2rem; }
    .note { color: #a00000; }
    </style>
    </head>
    <body>
    \(body)
    </body>
    </html>

    """
  }

  static func escaped(_ text: String) -> String {
    text.map { character -> String in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: String(character)
      }
    }.joined()
  }
}
