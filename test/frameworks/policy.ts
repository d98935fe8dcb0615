/** A reverse proxy in front of a project, which adds the strict policy of the demo shop. */
import {createServer, request} from 'node:http'
import {contentPolicy} from '../../demo/routes.js'
import {closeServer, listen} from '../http/loopback.js'

export async function addPolicy(target: string, trustedTypes: string) {
  const server = createServer((req, res) => {
    const {method, headers, url} = req
    const forwarded = request(`${target}${url}`, {method, headers}, reply => {
      res.writeHead(reply.statusCode ?? 502, {
        ...reply.headers,
        'content-security-policy': contentPolicy(trustedTypes),
      })
      reply.pipe(res)
    })
    forwarded.on('error', () => res.destroy())
    res.on('close', () => forwarded.destroy())
    req.pipe(forwarded)
  })
  return {url: `http://127.0.0.1:${await listen(server)}`, close: () => closeServer(server)}
}
