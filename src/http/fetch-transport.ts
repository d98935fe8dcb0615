/**
 * The network transport by `fetch`, for Workers, except for a GET with a body, which it cannot send. It does not tell whether a failed request was sent, so each counts as sent. A redirect is returned, not followed: the
 * api-key would go with it.
 */
import {RequestNotSentError, type Transport} from './transport.js'

export const fetchTransport: Transport = async ({method, url, headers, body, signal, maxBytes}) => {
  if (signal.aborted) throw new RequestNotSentError(signal.reason)
  const response = await fetch(url, {
    method,
    headers,
    signal,
    redirect: 'manual',
    // Cloudflare's cache is between a Worker and the service.
    cache: 'no-store',
    ...(body !== undefined && {body}),
  })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.body ? await readText(response.body, maxBytes) : '',
  }
}

async function readText(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  // Leaving the loop by an error cancels the stream.
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error('the response is too large')
    text += decoder.decode(chunk, {stream: true})
  }
  return text + decoder.decode()
}
