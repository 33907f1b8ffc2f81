import { testAd, testHelp, testTelephone } from '#test/content.ts'
import { numberIn, type ChangeWorld } from './changeWorld.fixture.ts'

/** Changes of help articles, telephone lines and ads. */
export async function contentOfRiders({ act, manager, of }: ChangeWorld): Promise<void> {
  const { agentId } = of
  const article = numberIn(await act(manager, 'saveHelp', { agentId, content: testHelp }), 'id')
  await act(manager, 'saveHelp', { id: article, version: 1, content: { ...testHelp, title: 'New title' } })
  await act(manager, 'publishHelp', { id: article, version: 2 })
  await act(manager, 'moveHelp', { id: article, position: 1 })
  await act(manager, 'withdrawHelp', { id: article })
  const line = numberIn(await act(manager, 'saveTelephone', { agentId, content: testTelephone }), 'id')
  await act(manager, 'saveTelephone', { id: line, version: 1, content: { ...testTelephone, label: 'New label' } })
  await act(manager, 'saveHolidays', { agentId, holidays: [{ day: '2027-02-06', name: 'New year' }] })
  const ad = numberIn(await act(manager, 'saveAd', { agentId, slot: 'mine', content: testAd }), 'id')
  await act(manager, 'saveAd', { id: ad, version: 1, content: { ...testAd, name: 'New name' } })
  for (const step of ['start', 'pause', 'end'] as const) await act(manager, 'switchAd', { id: ad, step })
  for (const name of ['exportHelp', 'exportHelpReaders', 'exportTelephones', 'exportAds', 'exportAdDays'] as const) {
    await act(manager, name, {})
  }
}
