/**
 * A function URL of Lambda: passes each request to the handler of `index.js` in this folder as an event in payload format 2.0.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads
 */
import {Buffer} from 'node:buffer'
import {createServer} from 'node:http'
import {pathToFileURL} from 'node:url'

const {handler} = await import(pathToFileURL('index.js'))

function eventOf({method, url, headers, socket}, body) {
  const [rawPath, rawQueryString = ''] = url.split('?')
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers,
    requestContext: {
      accountId: 'anonymous',
      apiId: 'shop',
      authentication: null,
      authorizer: null,
      domainName: headers.host,
      domainPrefix: 'shop',
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: socket.remoteAddress,
        userAgent: headers['user-agent'],
      },
      requestId: 'e1506fd5-9e7b-434f-bd42-4f8fa224b599',
      routeKey: '$default',
      stage: '$default',
      time: '22/Nov/2026:10:03:58 +0000',
      timeEpoch: 1795341838390,
    },
    ...(body && {body}),
    pathParameters: null,
    isBase64Encoded: false,
    stageVariables: null,
  }
}

createServer(async (req, res) => {
  let body = ''
  for await (const text of req.setEncoding('utf8')) body += text
  const result = await handler(eventOf(req, body), {})
  res.writeHead(result.statusCode, result.headers)
  res.end(result.isBase64Encoded ? Buffer.from(result.body, 'base64') : result.body)
}).listen(Number(process.env.PORT), '127.0.0.1')
