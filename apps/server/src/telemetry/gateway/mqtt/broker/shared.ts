import { seekLeadership } from '#kit/cluster/leader.ts'
import type { Kit } from '#kit/kit.ts'
import type { Bridge } from '#telemetry/gateway/protocol.ts'
import { createBrokerBridge, type BridgeDeps, type BrokerBridge } from './bridge.ts'

/**
 * The bridge to an outside MQTT broker. In a cluster every gateway may be given the broker, and one at a time reads from it: the
 * broker keeps one session for the platform, so that the next reader gets what the last one did not acknowledge.
 */
export function openSharedBridge(
  deps: Omit<BridgeDeps, 'kit'> & { readonly kit: Pick<Kit, 'config' | 'log'> },
): Bridge {
  const { kit, metrics } = deps
  const { cluster, databaseUrl } = kit.config
  let bridge: BrokerBridge | null = null
  let isHeld = false
  const lead = (): (() => Promise<void>) => {
    const own = createBrokerBridge(deps)
    if (isHeld) own.hold()
    bridge = own
    return () => {
      bridge = null
      return isHeld ? own.close() : own.abandon()
    }
  }
  const stop =
    cluster && databaseUrl !== undefined
      ? seekLeadership({ url: databaseUrl, log: kit.log, task: 'mqttBroker', lead })
      : lead()
  return {
    tick: () => metrics.brokerConnected.set(bridge?.isConnected() === true ? 1 : 0),
    hold() {
      isHeld = true
      bridge?.hold()
    },
    close: stop,
  }
}
