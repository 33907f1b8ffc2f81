import type { MqttMessageOf } from '@saddle/device-protocols/mqtt/codec.ts'
import { mqttPackageBytes } from '#production/public.ts'
import { inOrder } from '../commandSteps.ts'
import { takeUpgrade } from '../upgrades.ts'
import { publish } from './commands.ts'
import type { MqttState } from './state.ts'

const prefix = 'upgrade-'
const failures = { battery: 'battery', digest: 'digest', signature: 'signature' } as const

/** Sends the manifest of the vehicle's upgrade; the device fetches the bytes by itself. */
export function upgrade(state: MqttState): void {
  // At the start of the server devices come back before there is an address: they are told a little later.
  if (!state.hasSubscribed || !state.deps.transfers.addresses.isServed()) return
  takeUpgrade(state, {
    packagesOf: ({ content }) => Math.ceil(content.length / mqttPackageBytes),
    // The device says its version after each sign-in.
    ask: () => {},
    send: ({ transfer }) => {
      const { device, deps } = state
      const { image, actionId } = transfer
      const address = deps.transfers.addresses.make(actionId, image.artefactId)
      if (device === null || address === null) {
        state.upgrade = null
        return
      }
      publish(
        state,
        {
          deviceId: device.imei,
          message: 'command',
          id: `${prefix}${actionId}`,
          at: deps.kit.clock.now(),
          expiresAt: address.expiresAt,
          command: 'upgrade',
          fields: {
            kind: transfer.kind,
            version: transfer.toVersion,
            size: image.content.length,
            sha256: image.sha256,
            signature: image.signature.toString('base64'),
            minBattery: transfer.minBattery,
            url: address.url,
          },
        },
        0,
      )
    },
  })
}

export const isUpgradeAnswer = ({ id }: Pick<MqttMessageOf<'ack'>, 'id'>): boolean => id.startsWith(prefix)

/** The device answers a manifest: it fetches, it installs now, or it does not. */
export function onUpgradeAnswer(state: MqttState, { id, state: said, reason = '' }: MqttMessageOf<'ack'>): void {
  const { device, deps } = state
  const actionId = Number(id.slice(prefix.length))
  if (device === null || !Number.isSafeInteger(actionId) || said === 'received') return
  if (state.upgrade?.transfer.actionId === actionId) state.upgrade = null
  const of = { actionId, vehicleId: device.vehicleId }
  inOrder(state, () =>
    said === 'done'
      ? deps.transfers.installing(of)
      : deps.transfers.failed(of, failures[reason as keyof typeof failures] ?? 'refused'),
  )
}
