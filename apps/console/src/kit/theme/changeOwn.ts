import { appearanceEndpoints, type Layout } from '@saddle/contract/organisation/appearance.ts'
import { call } from '#kit/api/client.ts'
import { endpointKey, queryClient } from '#kit/query.ts'
import { changeTheme, settleLayout } from './settings.ts'

/** Changes a setting at once and keeps it in the person's account. Without an answer it holds in this browser. */
export async function changeOwn(change: Layout): Promise<void> {
  changeTheme(change as Parameters<typeof changeTheme>[0])
  try {
    const { data: look } = await call(appearanceEndpoints.ownAppearance, {}, { quiet: true })
    const { data: own } = await call(appearanceEndpoints.saveOwnLayout, { ...look.own, ...change }, { quiet: true })
    settleLayout({ company: look.company, own })
    await queryClient.invalidateQueries({ queryKey: endpointKey(appearanceEndpoints.ownAppearance) })
  } catch {
    // The next change, or the account page, keeps it.
  }
}
