/** Classic WebDriver, as much of it as the tests need. https://www.w3.org/TR/webdriver2/ */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** What an element is called on the wire. */
export type ElementReference = Readonly<Record<typeof ELEMENT, string>>

export class WebDriverError extends Error {
  override name = 'WebDriverError'
}

export class WebDriver {
  private constructor(private readonly session: string) {}

  static async connect(server: string, capabilities: Readonly<Record<string, unknown>>): Promise<WebDriver> {
    const asked = {capabilities: {alwaysMatch: capabilities}}
    const {sessionId} = (await send('POST', `${server}/session`, asked)) as {sessionId: string}
    return new WebDriver(`${server}/session/${sessionId}`)
  }

  post(path: string, body: unknown = {}): Promise<unknown> {
    return send('POST', `${this.session}/${path}`, body)
  }

  get(path: string): Promise<unknown> {
    return send('GET', `${this.session}/${path}`)
  }

  /** Awaits what the function gives. An element comes back as a reference. */
  async execute(inPage: string, args: readonly unknown[]): Promise<unknown> {
    const script = `const done = arguments[arguments.length - 1]
      Promise.resolve().then(() => (${inPage})(...[...arguments].slice(0, -1))).then(
        value => done([value]),
        error => done([null, String(error)]),
      )`
    const [value, error] = (await this.post('execute/async', {script, args})) as [unknown, string?]
    if (error !== undefined) throw new WebDriverError(error)
    return value
  }

  async click(element: ElementReference): Promise<void> {
    await this.post(`element/${element[ELEMENT]}/click`)
  }

  async type(element: ElementReference, keys: string): Promise<void> {
    await this.post(`element/${element[ELEMENT]}/value`, {text: keys})
  }

  /** Of what the window shows. */
  async screenshot(): Promise<Buffer> {
    return Buffer.from((await this.get('screenshot')) as string, 'base64')
  }

  async quit(): Promise<void> {
    await send('DELETE', this.session)
  }
}

/** Milliseconds after which a browser that does not answer has failed. */
const PATIENCE = 30_000

async function send(method: string, url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(PATIENCE),
    ...(body !== undefined && {body: JSON.stringify(body)}),
  })
  const {value} = (await response.json()) as {value: unknown}
  if (response.ok) return value
  const {error, message} = value as {error: string; message: string}
  throw new WebDriverError(`${error}: ${message}`)
}
