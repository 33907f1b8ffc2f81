import { fleetTopics } from '#fleet/public.ts'
import { identityTopics } from '#identity/public.ts'
import type { Kit } from '#kit/kit.ts'
import { noticeTopic } from '#notices/public.ts'
import { chatMessageTopic } from '#support/public.ts'
import { forEachClient, holds, notify, type Client } from './client.ts'
import { commandCodes, inboxCode, mapCodes } from './permissions.ts'
import { recheck } from './rights.ts'

/** Sends the events of the bus to the clients that may see them; returns what ends the subscriptions. */
export function forwardEvents(kit: Pick<Kit, 'bus' | 'clock' | 'log'>, clients: ReadonlySet<Client>): () => void {
  const stops = [
    kit.bus.subscribe(fleetTopics.commandChanged, (event) => {
      forEachClient(clients, (client) => {
        if (holds(client.rights, commandCodes) && sees(client, event)) {
          notify(client, { type: 'command', command: event.command })
        }
      })
    }),
    kit.bus.subscribe(fleetTopics.alarm, (events) => {
      for (const event of events) {
        forEachClient(clients, (client) => {
          if (holds(client.rights, mapCodes) && sees(client, event)) {
            notify(client, { type: 'vehicle', vehicleId: event.vehicleId })
          }
        })
      }
    }),
    kit.bus.subscribe(chatMessageTopic, (event) => {
      forEachClient(clients, (client) => {
        const isOwn = client.identity.operatorId === event.operatorId
        const isInbox = client.rights.permissions.has(inboxCode) && client.visibility.agentIds.has(event.agentId)
        if (isOwn || isInbox) notify(client, { type: 'chat', message: event.message })
      })
    }),
    kit.bus.subscribe(noticeTopic, ({ operatorIds }) => {
      const told = new Set(operatorIds)
      forEachClient(clients, (client) => {
        if (told.has(client.identity.operatorId)) notify(client, { type: 'notice' })
      })
    }),
    kit.bus.subscribe(identityTopics.sessionChanged, ({ handle }) => {
      forEachClient(clients, (client) => {
        if (handle === undefined || client.identity.handle === handle) recheck({ client, kit })
      })
    }),
    kit.bus.subscribe(identityTopics.operatorChanged, ({ operatorId }) => {
      forEachClient(clients, (client) => {
        if (operatorId === undefined || client.identity.operatorId === operatorId) recheck({ client, kit })
      })
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function sees(client: Client, thing: { readonly agentId: number; readonly areaId: number }): boolean {
  return client.visibility.agentIds.has(thing.agentId) && client.visibility.areaIds.has(thing.areaId)
}
