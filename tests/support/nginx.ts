/** Runs deploy/nginx/ in a real nginx, with local ports, folders, and certificate, in front of a local server and desk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.ts'
import { testCertificateFile } from './webhook.ts'

const deployed = join(import.meta.dirname, '../../deploy/nginx')

/** Stands for all clients: nginx takes their addresses from `x-real-ip`. */
export const OTHERS = '127.0.0.7'

export interface NginxOptions {
  /** For all that nginx writes. */
  readonly folder: string
  /** Where the site is published. */
  readonly built: string
  /** Host and port of the server and the desk. Their hostnames are localhost and desk.localhost; the bare domain's is bare.localhost. */
  readonly server: string
  readonly desk?: string
  /** Other limits, so a test doesn't have to be fast. */
  readonly limits?: readonly (readonly [deployed: RegExp, here: string])[]
  readonly port?: { readonly http: number; readonly https: number }
}

export async function startNginx(options: NginxOptions) {
  const { folder, built, server, desk = '127.0.0.1:1', limits = [], port: given } = options
  const port = given ?? { http: await freePort(), https: await freePort() }
  const site = `https://localhost:${port.https}`
  const changes: readonly (readonly [RegExp, string])[] = [
    [/^ *listen \[::\].*$/gm, ''],
    [/listen 80\b/g, `listen 127.0.0.1:${port.http}`],
    [/listen 443\b/g, `listen 127.0.0.1:${port.https}`],
    [/server_name www\.example\.org/g, 'server_name localhost'],
    [/server_name (desk\.|)example\.org/g, 'server_name $1localhost'],
    [/server_name localhost(?=;[^}]*live\/example\.org)/g, 'server_name bare.localhost'],
    [/https:\/\/www\.example\.org\$/g, `${site}$`],
    [/\/etc\/letsencrypt\/live\/\S+\/(fullchain|privkey)\.pem/g, testCertificateFile],
    [/127\.0\.0\.1:3000/g, server],
    [/127\.0\.0\.1:3001/g, desk],
    [/\/var\/log\/nginx\//g, `${folder}/`],
    [/\/srv\/ssdi-advocate\/current\/built/g, built],
    [/\/srv\/ssdi-advocate\/current\b/g, dirname(built)],
    ...limits,
  ]
  const configuration = readdirSync(deployed)
    .map(name => readFileSync(join(deployed, name), 'utf8'))
    .join('\n')
  const local = changes.reduce((text, [original, replacement]) => {
    if (!text.match(original)) throw new Error(`deploy/nginx/ has no ${original}.`)
    return text.replace(original, replacement)
  }, configuration)
  mkdirSync(folder, { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `${kind}_temp_path ${folder}/${kind};`,
  )
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    worker_processes auto;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log info;
    worker_rlimit_nofile 20000;
    events { worker_connections 8192; }
    http {
      set_real_ip_from ${OTHERS};
      real_ip_header X-Real-IP;
      access_log ${folder}/access.log;
      ${temporary.join('\n')}
      ${local}
    }`,
  )
  const nginx = spawn('nginx', ['-c', file, '-p', folder], { stdio: 'inherit' })
  return {
    port,
    url: site,
    pid: nginx.pid as number,
    async stop(): Promise<void> {
      nginx.kill('SIGTERM')
      if (nginx.exitCode === null) await once(nginx, 'close')
    },
  }
}
