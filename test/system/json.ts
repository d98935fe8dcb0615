/** JSON over HTTP. */
import assert from 'node:assert/strict'

export function post(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {'content-type': 'application/json', ...headers},
    body: JSON.stringify(body),
  })
}

/** Rejects with the response if it is not a 2xx. */
export async function json<Body>(request: Promise<Response>): Promise<Body> {
  const response = await request
  const text = await response.text()
  assert.ok(response.ok, `${response.url}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Body
}
