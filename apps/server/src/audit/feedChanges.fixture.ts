import { specimens } from '#test/isolation/specimens/all.ts'
import type { ChangeWorld } from './changeWorld.fixture.ts'

/** What a company publishes and the keys of its partners are changed. */
export async function openInterfaces({ act, manager, of }: ChangeWorld): Promise<void> {
  await act(manager, 'saveFeedPublication', specimens.saveFeedPublication(of, of.manager))
  await act(manager, 'saveVehicleForm', { ...specimens.saveVehicleForm(of, of.manager), version: 2 })
  for (const name of [
    'createPartnerKey',
    'rotatePartnerKey',
    'revokePartnerKey',
    'createWebhook',
    'changeWebhook',
  ] as const)
    await act(manager, name, specimens[name](of, of.manager))
  for (const name of [
    'saveMdsProvider',
    'createJurisdiction',
    'createMdsClient',
    'revokeMdsClient',
    'saveMdsAgency',
    'retryMdsPushes',
    'bringMdsPolicies',
    'takeMdsRule',
    'undoMdsRule',
    'removeMdsPolicy',
  ] as const)
    await act(manager, name, specimens[name](of, of.manager))
  const { jurisdictionId } = of.mds
  await act(manager, 'setMdsAgencyState', { jurisdictionId, version: 2, state: 'on' })
  await act(manager, 'removeMdsAgency', { jurisdictionId, version: 3 })
  await act(manager, 'endJurisdiction', specimens.endJurisdiction(of, of.manager))
  const { webhookId: id } = of.partner
  await act(manager, 'rotateWebhookSecret', { id, version: 2 })
  await act(manager, 'setWebhookState', { id, version: 3, state: 'paused' })
  for (const name of ['testWebhook', 'replayWebhookDeliveries', 'exportWebhookDeliveries', 'removeWebhook'] as const)
    await act(manager, name, specimens[name](of, of.manager))
}
