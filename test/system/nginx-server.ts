/** A real nginx on a free port of the loopback interface, as docs/mounting.md configures it. */
import {mkdtemp, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {freePort} from './free-port.js'
import {requireProgram} from './programs.js'
import {runServer, type PortServer} from './run-server.js'

/**
 * @param ports of the upstream servers
 * @param buffering of responses
 */
export async function startNginx(ports: readonly number[], buffering: 'on' | 'off'): Promise<PortServer> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'))
  const port = await freePort()
  const configuration = join(folder, 'nginx.conf')
  await writeFile(
    configuration,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr notice; worker_processes 1;
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
  const args = ['-e', 'stderr', '-c', configuration]
  // It listens before it starts its workers, which only it can end.
  const ready = 'start worker processes'
  const path = requireProgram('nginx')
  return {...(await runServer({path, args, folder, ready, crashSignal: 'SIGTERM'})), port}
}
