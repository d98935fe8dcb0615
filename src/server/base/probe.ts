/** Whether the store responds and can be written, and whether it was used with another key or service. */
import {sha256} from '@noble/hashes/sha2.js'
import {bytesToHex, utf8ToBytes} from '@noble/hashes/utils.js'
import * as z from 'zod/mini'
import type {Clock, Store} from '../../contract/index.js'
import type {Logger} from './logger.js'

/** Keys without a slash: no document has one. */
const READY_KEY = 'ready'
const SERVICE_KEY = 'service'
const MAX_TRIES = 20
const MAX_SERVICES = 8

/** Reads and writes one row. Another process may write it at the same time. */
export async function probeWrite(store: Store, clock: Pick<Clock, 'now'>): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const {version = 0} = (await store.get(READY_KEY)) ?? {}
    if (await store.put(READY_KEY, version + 1, JSON.stringify({at: clock.now()}), null)) return
  }
}

const servicesSchema = z.object({services: z.array(z.string())})

/** Those that have used the store, the last one last. A hash tells neither the key nor the address. */
async function servicesOf(store: Store): Promise<{version: number; services: readonly string[]}> {
  const row = await store.get(SERVICE_KEY)
  if (!row) return {version: 0, services: []}
  return {version: row.version, ...servicesSchema.parse(JSON.parse(row.value))}
}

export interface ServiceIdentity {
  readonly apiKey: string
  readonly baseUrl: string
}

function idOf({apiKey, baseUrl}: ServiceIdentity): string {
  return bytesToHex(sha256(utf8ToBytes(`${baseUrl} ${apiKey}`))).slice(0, 16)
}

/** Whether another key or service has used the store too. */
export async function isOfAnotherService(store: Store, service: ServiceIdentity): Promise<boolean> {
  const {services} = await servicesOf(store)
  return services.some(id => id !== idOf(service))
}

/** At start: logs why the store cannot be used, or whose it is. Never rejects. */
export async function checkStoreAtStart(
  store: Store,
  service: ServiceIdentity,
  clock: Clock,
  logger: Logger,
): Promise<void> {
  try {
    await probeWrite(store, clock)
    const {version, services} = await servicesOf(store)
    const id = idOf(service)
    if (services.at(-1) === id) return
    if (services.length > 0)
      logger.warn(
        'the store was used with another api-key or baseUrl: its charges may be unknown to this service',
        {
          code: 'store_of_another_service',
        },
      )
    const next = [...services.filter(other => other !== id), id].slice(-MAX_SERVICES)
    await store.put(SERVICE_KEY, version + 1, JSON.stringify({services: next}), null)
  } catch (error) {
    logger.error('the store cannot be used', {cause: error instanceof Error ? error.message : undefined})
  }
}
