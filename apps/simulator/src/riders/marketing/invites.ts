import { demoRidersPerAgent } from '@saddle/contract/demo/riders.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { RiderData } from '#sim/riders/api.ts'
import { inviteShare } from './choices.ts'
import { personOf } from './person.ts'
import { createVisitor, type Visitor } from './visitor.ts'

/** How often somebody asks around for a friend who does not ride yet, and when the friend's first ride is. */
const friendsAsked = 3
const firstRideHours = [1, 40] as const

type OwnInvites = RiderData<'riderOwnInvites'>

/** New riders may still say who brought them. */
const isNew = (own: OwnInvites): boolean => own.mayBindUntil !== null && own.broughtBy === null

/** Looks at the own code, and hands it on where the reward is worth it; the friend registers, names it and rides later. */
export async function inviteFriend(visitor: Visitor): Promise<void> {
  const { city, person, who, areaId, random } = visitor
  const own = await visitor.ask('riderOwnInvites', who)
  if (own === null || own.code === null || own.activity === null) return
  city.keepCode(who.agentId, own.code)
  if (!random.chance(inviteShare(own.activity.inviterRewards))) return
  for (let asked = 0; asked < friendsAsked; asked++) {
    const rider = random.below(demoRidersPerAgent)
    if (rider === person.rider) continue
    const friend = createVisitor(city, { person: personOf(city.seed, who.agentId, rider), areaId, random })
    // Who has opened the app before is no new rider.
    if (friend.memory.hasOpened) continue
    const theirs = await friend.ask('riderOwnInvites', friend.who)
    if (theirs === null || !isNew(theirs)) continue
    if (!(await nameInviter(friend, own.code))) return
    const [from, to] = firstRideHours
    city.rideAgain({ areaId, rider, delayMs: random.between(from, to) * hourMs })
    return
  }
}

/** Opens the app for the first time and names who brought them. */
async function nameInviter(visitor: Visitor, code: string): Promise<boolean> {
  const { city, person, who, memory } = visitor
  const { device } = person
  memory.hasOpened = true
  if ((await visitor.ask('openApp', { ...who, device })) !== null) city.counts.opened++
  const bound = await visitor.ask('riderBindInvite', { ...who, code, device })
  if (bound === null) return false
  city.counts.invited++
  return true
}

/** New riders of whom a friend rides already. */
const broughtShare = 0.45

/** The first look at the app: new riders whom a friend has told about it enter the code of the friend. */
export async function arrive(visitor: Visitor): Promise<void> {
  const { city, person, who, random, memory } = visitor
  const code = random.chance(broughtShare) ? city.someCode(who.agentId, random) : null
  if (code !== null) {
    const own = await visitor.ask('riderOwnInvites', who)
    if (own !== null && own.code !== code && isNew(own)) {
      await nameInviter(visitor, code)
      return
    }
  }
  memory.hasOpened = true
  if ((await visitor.ask('openApp', { ...who, device: person.device })) !== null) city.counts.opened++
}
