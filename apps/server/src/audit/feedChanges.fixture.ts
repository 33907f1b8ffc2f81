import { specimens } from '#test/isolation/specimens/all.ts'
import type { ChangeWorld } from './changeWorld.fixture.ts'

/** What a company publishes and the keys of its partners are changed. */
export async function openInterfaces({ act, manager, of }: ChangeWorld): Promise<void> {
  await act(manager, 'saveFeedPublication', specimens.saveFeedPublication(of, of.manager))
  await act(manager, 'saveVehicleForm', { ...specimens.saveVehicleForm(of, of.manager), version: 2 })
  for (const name of ['createPartnerKey', 'rotatePartnerKey', 'revokePartnerKey'] as const)
    await act(manager, name, specimens[name](of, of.manager))
}
