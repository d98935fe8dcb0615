/** A real nginx for a test or the load rig: on a free port of loopback, before the given ports, as docs/mounting.md has it. */
import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {freePort} from '../free-port.js'
import {exitWithParent} from '../processes/exit-with-parent.js'

export interface NginxServer {
  readonly port: number
  stop(): Promise<void>
}

export function isNginxInstalled(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined
}

/** @param buffering whether it collects answers: a stream then depends on its own header */
export async function startNginx(ports: readonly number[], buffering: 'on' | 'off'): Promise<NginxServer> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'))
  const port = await freePort()
  const configuration = join(folder, 'nginx.conf')
  await writeFile(
    configuration,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
events { worker_connections 4096; }
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
  const nginx = spawn('nginx', ['-e', join(folder, 'error.log'), '-c', configuration], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  exitWithParent(nginx, 'nobody')
  const gone = once(nginx, 'exit')
  await answering(port, nginx)
  return {
    port,
    async stop() {
      nginx.kill('SIGTERM')
      await gone
      await rm(folder, {recursive: true})
    },
  }
}

/** Resolves when it answers, whatever it answers. */
async function answering(port: number, nginx: ReturnType<typeof spawn>): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    nginx.once('error', () => reject(new Error('nginx is not installed: apt-get install nginx')))
    nginx.once('exit', code => reject(new Error(`nginx ended with ${code}`)))
  })
  failed.catch(() => undefined)
  for (;;) {
    const asked = fetch(`http://127.0.0.1:${port}/crypto-checkout/health`).then(
      reply => reply.text().then(() => true),
      () => false,
    )
    if (await Promise.race([asked, failed])) return
  }
}
