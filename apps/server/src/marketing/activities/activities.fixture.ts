import type { Activity, ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import type { RidingTerms } from '@saddle/contract/marketing/ridingActivities.ts'
import { testActivityCommon, testRidingTerms } from '#test/activities.ts'
import { marketingWorld } from '../marketing.fixture.ts'

/** The world of coupons, with riding activities of its first company. */
export async function activityWorld() {
  const world = await marketingWorld()
  const { handlers, agentId, clerk, kit } = world
  let names = 0
  const inputWith = (common: Partial<ActivityCommon> = {}, terms: Partial<RidingTerms> = {}) => {
    names += 1
    return {
      common: { ...testActivityCommon, name: `活动 ${names}`, ...common },
      terms: { ...testRidingTerms, ...terms },
    }
  }
  const draft = async (common: Partial<ActivityCommon> = {}, terms: Partial<RidingTerms> = {}) =>
    (await handlers.createRidingActivity({ agentId, ...inputWith(common, terms) }, clerk)).data.id
  const start = async (common: Partial<ActivityCommon> = {}, terms: Partial<RidingTerms> = {}) => {
    const id = await draft(common, terms)
    await handlers.switchRidingActivity({ id, state: 'on' }, clerk)
    return id
  }
  const activity = async (id: number): Promise<Activity<unknown>> => {
    const { data } = await handlers.listRidingActivities({ filter: { id }, sort: 'created', pageSize: 20 }, clerk)
    const [row] = data.list
    if (row === undefined) throw new Error(`there is no activity ${id}`)
    return { ...row, terms: row.terms }
  }
  /** No other activity takes part in what comes next. */
  const endAll = () => world.owner.updateTable('activity').set({ state: 'ended' }).execute()
  return { ...world, kit, inputWith, draft, start, activity, endAll }
}
