import Configuration
import Glibc

/// `parley`: reads the command line, does what it says, and ends with its exit code.
@main struct Program {
  nonisolated static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let code: ExitCode
    do throws(UsageError) {
      code = await run(try CommandLineParser.parse(arguments))
    } catch {
      StandardStreams.error(error.description)
      code = .usage
    }
    exit(code.rawValue)
  }

  private nonisolated static func run(_ command: Command) async -> ExitCode {
    switch command {
    case .serve(let config, let listen, let data, let tls):
      await ServeCommand.run(config: config, listen: listen, data: data, tls: tls)
    case .token(let request): TokenCommand.run(request)
    case .checkConfig(let file, let print): CheckConfigCommand.run(file: file, print: print)
    case .echo(let listen, let loops, let tls, let keepsContexts):
      await EchoCommand.run(listen: listen, loops: loops, tls: tls, keepsContexts: keepsContexts)
    case .health(let url): HealthCommand.run(url: url)
    case .version: VersionCommand.run()
    case .help(let text): StandardStreams.result(text)
    }
  }
}
