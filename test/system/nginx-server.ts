/** A real nginx on a free port of the loopback interface, as docs/mounting.md configures it. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {exitWithParent} from './exit-with-parent.js'
import {freePort} from './free-port.js'
import {requireProgram} from './programs.js'

export interface NginxServer {
  readonly port: number
  stop(): Promise<void>
}

/**
 * @param ports of the upstream servers
 * @param buffering of responses
 */
export async function startNginx(ports: readonly number[], buffering: 'on' | 'off'): Promise<NginxServer> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'))
  const port = await freePort()
  const configuration = join(folder, 'nginx.conf')
  await writeFile(
    configuration,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
events { worker_connections 20000; }
http {
  access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  upstream proxies { ${ports.map(each => `server 127.0.0.1:${each};`).join(' ')} keepalive 128; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    location / {
      proxy_pass http://proxies;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_buffering ${buffering};
      proxy_read_timeout 60s;
    }
  }
}`,
  )
  const nginx = spawn(requireProgram('nginx'), ['-e', join(folder, 'error.log'), '-c', configuration], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  exitWithParent(nginx)
  const exited = once(nginx, 'exit')
  const failed = exited.then(([code]) => {
    throw new Error(`nginx ended with ${String(code)}`)
  })
  failed.catch(() => undefined)
  await Promise.race([untilResponse(port), failed])
  return {
    port,
    async stop() {
      nginx.kill('SIGTERM')
      await exited
      await rm(folder, {recursive: true})
    },
  }
}

/** Resolves at the first response, whatever its status. */
async function untilResponse(port: number): Promise<void> {
  for (;;)
    try {
      const response = await fetch(`http://127.0.0.1:${port}/crypto-checkout/health`)
      await response.text()
      return
    } catch {
      await setTimeout(25)
    }
}
