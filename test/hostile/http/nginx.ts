import { pageAt } from '../../readme/readme.js'
import { prepareProgram } from '../../support/apt.js'
import { eventually } from '../../support/eventually.js'
import { freePort } from '../../support/free-port.js'
import { get } from '../../support/http.js'
import { createMenusFolder } from '../../support/menus-folder.js'
import { startProcess } from '../../support/process.js'

/** As people write it who read no documentation: it says nothing of the visitor, and has the name of this machine. */
function toBare(config: string, upstream: string): string {
  const silent = config.replace(/^ *(?:proxy_set_header|proxy_http_version) .*\n/gm, '')
  return silent.replace(
    'proxy_pass http://menuscript;',
    `proxy_pass http://${upstream.replace('127.0.0.1', 'localhost')};`,
  )
}

/** The configuration of `docs/proxy.md`. */
function shownConfig(): string {
  return /^```nginx\n([\s\S]*?)^```$/m.exec(pageAt('docs/proxy.md').text)?.[1] ?? ''
}

/** A configuration as shown, on ports and folders of the test, with a `server` for each service. */
function toConfig(shown: string, dir: string, listen: string, upstreams: readonly string[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${dir}/${name};`,
  )
  const swaps: readonly (readonly [string, string])[] = [
    ['events {}', `daemon off;\npid ${dir}/nginx.pid;\nerror_log stderr warn;\nevents {}`],
    ['http {', `http {\n  access_log off;\n  ${temporary.join('\n  ')}`],
    ['/var/cache/menuscript', `${dir}/cache`],
    ['server 127.0.0.1:4400;', upstreams.map((each) => `server ${each};`).join(' ')],
    ['listen 80;', `listen ${listen};`],
  ]
  return swaps.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`The nginx block of docs/proxy.md has not one ${from}`)
    return text.replace(from, to)
  }, shown)
}

/**
 * Puts an nginx, configured as `docs/proxy.md` shows or with what it needs at least, in front of a service or of several while
 * some work lasts.
 */
export async function behindNginx(
  upstream: string | readonly string[],
  work: (url: string) => Promise<void>,
  { isBare = false, shown = shownConfig() }: { readonly isBare?: boolean; readonly shown?: string } = {},
): Promise<void> {
  const program = prepareProgram('nginx', 'nginx-light')
  const folder = createMenusFolder()
  const listen = `127.0.0.1:${await freePort()}`
  const hosts = [upstream].flat().map((url) => new URL(url).host)
  const config = toConfig(shown, folder.dir, listen, hosts)
  folder.write('nginx.conf', isBare ? toBare(config, hosts[0] ?? '') : config)
  const user = process.getuid?.() === 0 ? ['-g', 'user root;'] : []
  const running = startProcess(program, ['-e', 'stderr', '-p', folder.dir, '-c', 'nginx.conf', ...user])
  try {
    const answers = async (): Promise<unknown> => get(`http://${listen}/livez`)
    await Promise.race([
      eventually(answers),
      running.ended.then(() => Promise.reject(new Error(running.stderr()))),
    ])
    await work(`http://${listen}`)
  } finally {
    await running.stop()
    folder.close()
  }
}
