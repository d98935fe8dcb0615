/** A route that a layer adds to the handler of another one. */
import type {HttpReply, HttpRequest} from './message.js'

/** @typeParam Context what the owner of the handler offers the route */
export interface HttpRoute<Context, Problem> {
  /** For the log. */
  readonly kind: string
  readonly methods: readonly string[]
  /** All of the path below `basePath`. The groups of an expression are the parameters. */
  readonly path: string | RegExp
  handle(
    request: HttpRequest,
    context: Context,
    parameters: readonly string[],
  ): HttpReply | Promise<HttpReply>
  /** Shows a problem as a page. Without it, the response is JSON. */
  problem?(
    request: HttpRequest,
    problem: Problem,
    headers: Readonly<Record<string, string>>,
  ): Promise<HttpReply>
}
