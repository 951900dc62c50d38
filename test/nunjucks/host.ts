import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApiHandler } from '../../src/http/handler.js'
import type { Snapshot } from '../../src/model/snapshot.js'
import { registerMenuGlobals } from '../../src/nunjucks/globals.js'
import type { Policies } from '../../src/service/hooks.js'
import { SILENT_LOG } from '../../src/service/log.js'
import { createMenuService } from '../../src/service/menu-service.js'
import type { Settings } from '../../src/service/settings.js'
import { snapshotOf } from '../support/snapshot-of.js'
import { ENGINES } from './engines.js'

/** A site on a real socket: the endpoint of a service, and a page over the same service for every other path. */
export interface Host {
  readonly url: string
  readonly serve: (snapshot: Snapshot) => void
  /** What every page shows from now on, once by each engine; the pages stand in a JSON list. */
  readonly show: (template: string, context: object) => void
  readonly close: () => Promise<void>
}

export async function openHost(settings: Settings, policies: Policies): Promise<Host> {
  let snapshot = snapshotOf({})
  let page: readonly [template: string, context: object] = ['', {}]
  const service = createMenuService({ current: () => snapshot, settings, policies, log: SILENT_LOG })
  const handler = createApiHandler(service, SILENT_LOG)
  const environments = ENGINES.map((engine) => engine.create())
  for (const environment of environments) registerMenuGlobals(environment, service, { log: SILENT_LOG })
  const render = (request: IncomingMessage): string[] =>
    environments.map((environment) => environment.renderString(page[0], { ...page[1], request }))
  const server = createServer((request, response) => {
    handler(request, response, () => response.end(JSON.stringify(render(request))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (other) => {
      snapshot = other
    },
    show: (...shown) => {
      page = shown
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
