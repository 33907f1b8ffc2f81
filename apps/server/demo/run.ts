import { join } from 'node:path'
import { demoPriceRules } from '@saddle/contract/demo/prices.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Domains } from '#app/domains.ts'
import { createAudit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Lifecycle } from '#kit/lifecycle.ts'
import { reportFault } from '#operations/public.ts'
import { createPhotos } from '#photos/public.ts'
import { createSeals } from '#rider/demoDoor.ts'
import { createRiders } from '#rider/public.ts'
import { adoptDemoPlan } from './desk.ts'
import { writeDemoCodes, writeDemoDevices, writeDemoPictures, writeDemoRiders } from './devices.ts'
import { startHistoryImport } from './history/import.ts'
import { fillChannelBills } from './past/channelBills.ts'
import { fillBank, fillLatestWithdrawals } from './past/bank.ts'
import { fillContent } from './past/marketing/content.ts'
import { fillInvites } from './past/marketing/invites.ts'
import { fillInvoices } from './past/invoices.ts'
import { bookOrders } from './past/orders.ts'
import { fillRewards, openPastRewards, pastRewards } from './past/marketing/rewards.ts'
import { openPastRiding } from './past/marketing/riding.ts'
import { openPastCoupons } from './past/marketing/pastCoupons.ts'
import { openPastCards } from './past/pastCards.ts'
import { pastEvents, together, type PastBenefits } from './past/benefits.ts'
import { writeDemoWeather } from './past/marketing/weather.ts'
import { pastCampaigns, writeDemoCampaigns } from './past/marketing/campaigns.ts'
import { pastCoupons } from './past/marketing/coupons.ts'
import { fillReturnPhotos } from './past/returnPhotos.ts'
import { fillRiders } from './past/riders.ts'
import { fillTasks } from './past/tasks.ts'
import { fillSplits } from './past/splits.ts'
import { fillFeedback } from './past/feedback.ts'
import { fillTickets } from './past/tickets.ts'
import { fillRecharges } from './past/marketing/recharges.ts'
import { fillServiceBills } from './past/serviceBills.ts'
import { fillVoltage } from './past/voltage.ts'
import { fillWallets } from './past/wallets.ts'
import { demoPicture } from './pictures.ts'
import { fillFactory, startBench } from './past/factory.ts'
import { fillUpgrades, prepareDemoSigner } from './upgrades.ts'
import { insertDemoPrices } from './prices.ts'
import { publishDemoFeeds } from './feeds.ts'
import { findDemoPeople, seedDemo } from './seed.ts'
import { moveParkApplications } from './parkApplications.ts'

export { demoLogins } from './people.ts'

type Running = { readonly kit: Kit; readonly domains: Domains }

/** Rides that were under way at the end of the demo's past end a while after its start. */
const bookEveryMs = 30 * minuteMs
const bookTriesMax = 3

/**
 * Companies, people, areas and prices of the demo, before the platform starts. Done once. Returns the public keys of those whose
 * firmware the platform takes.
 */
export async function prepareDemo(kit: Kit): Promise<Kit['config']['artefactKeys']> {
  await seedDemo(kit)
  await insertDemoPrices(kit)
  await publishDemoFeeds(kit)
  return [prepareDemoSigner(kit)]
}

/** Writes the files that the simulator reads: the credentials of its devices and of its rider app. */
export async function writeSimulatorFiles({ kit, domains }: Running): Promise<void> {
  const { dataDir } = kit.config
  await writeDemoDevices({ dataDir, secrets: kit.secrets, vehicles: domains.fleet.vehicles, kit })
  await writeDemoRiders({ dataDir, kit, riding: domains.riding })
  writeDemoPictures(dataDir, demoPicture)
}

/**
 * Imports the past that the simulator writes, and adds the records that other domains would have. `onReady` is called when
 * the rides are read in, `onFilled` when all that people did in that time is there too.
 */
export function startDemoPast(
  options: Running & {
    readonly lifecycle: Lifecycle
    readonly onReady: () => void
    readonly onFilled: () => void
  },
): void {
  const { kit, domains, lifecycle, onReady, onFilled } = options
  const { log } = kit
  // What riders earn and hold in the past is followed at its time, not now. While there is none, nothing is held: it may
  // never come, and riders of today do not wait for it.
  let release: (() => void) | null = null
  const hold = (): void => {
    release ??= domains.marketing.holdJobs()
  }
  const folder = join(kit.config.dataDir, 'history')
  const history = startHistoryImport({ kit, fleet: domains.fleet, folder, onFound: hold })
  lifecycle.onStop({ phase: 'drain', name: 'history', run: () => history.stop() })
  void history.ready.then(onReady)
  const riders = createRiders(kit)
  const { geography } = domains
  const { ledger } = domains.finance
  // Takes a while and may be cut short: the next run adds what is missing.
  const book = async (benefits: PastBenefits | null): Promise<boolean> => {
    try {
      await writeDemoWeather(kit)
      const orders = await bookOrders({ kit, riders, geography, ledger, benefits }, demoPriceRules)
      if (orders > 0) log.info({ orders }, 'orders were made of the rides of the demo')
      return true
    } catch (err) {
      log.warn({ err }, 'not all rides of the demo are orders yet')
      return false
    }
  }
  const bookPast = async (): Promise<void> => {
    hold()
    try {
      const benefits = await openPastBenefits({ kit, domains })
      // A rider of the live city may have used the last of a budget just then.
      for (let tries = 0; !(await book(benefits)); tries += 1) if (tries >= bookTriesMax) return
      await benefits?.reach(kit.clock.now())
      await benefits?.finish()
    } catch (err) {
      log.warn({ err }, 'not all benefits of the rides of the demo are there yet')
    } finally {
      release?.()
    }
  }
  const goOn = async (): Promise<void> => {
    // The next start goes on where this one was stopped.
    if (!(await history.done)) return
    // What needs no orders is there minutes before them.
    await fillProduction(options)
    await addFeedback(options)
    await bookPast()
    await fillPast(options)
    await handOut(kit)
    onFilled()
    setInterval(() => void book(null).then(() => handOut(kit)), bookEveryMs).unref()
  }
  void goOn()
}

/** What lowers the charge of rides of the past; null where all of them are booked. */
async function openPastBenefits({ kit, domains }: Running): Promise<PastBenefits | null> {
  const { finance, marketing, riding } = domains
  await openPastRewards(kit)
  const activities = await openPastRiding(kit)
  if (activities === null) return null
  const people = await findDemoPeople(kit)
  const events = [...(await pastCoupons({ kit, riding, people })), ...(await pastCampaigns({ kit }))]
  return together([
    pastEvents(kit, events),
    pastRewards(kit, { marketing, finance }),
    await openPastCoupons({ kit, riding, people }),
    activities,
    await openPastCards({ kit, ledger: finance.ledger }),
  ])
}

/** Codes that a company has made since are handed out, too. */
const handOut = (kit: Kit): Promise<void> =>
  writeDemoCodes(kit).catch((err: unknown) => kit.log.warn({ err }, 'no codes of coupons are handed out'))

/** Firmware, voice packs and upgrades, a batch of vehicles under test, and a voltage scheme. */
async function fillProduction({ kit, domains }: Running): Promise<void> {
  const { log } = kit
  try {
    if (await fillUpgrades(kit)) log.info('firmware, voice packs and upgrades of the demo are there')
  } catch (err) {
    log.warn({ err }, 'the upgrades of the demo are not there yet')
  }
  try {
    const { production, fleet } = domains
    const tests = await fillFactory({ kit, production, fleet, people: await findDemoPeople(kit) })
    if (tests > 0) log.info({ tests }, 'a batch of the demo was tested')
    startBench({ kit, production, fleet, people: await findDemoPeople(kit) })
  } catch (err) {
    log.warn({ err }, 'the batch under test of the demo is not there yet')
  }
  try {
    const isNew = await fillVoltage({ production: domains.production, people: await findDemoPeople(kit) })
    if (isNew) log.info('the voltage scheme of the demo is there')
  } catch (err) {
    log.warn({ err }, 'the voltage scheme of the demo is not there yet')
  }
}

/** Tickets of companies to the platform; those about orders and bills when there are some. */
async function addFeedback({ kit }: Pick<Running, 'kit'>): Promise<void> {
  try {
    const people = await findDemoPeople(kit)
    const tickets = await fillFeedback({ kit, picture: demoPicture, people })
    if (tickets > 0) kit.log.info({ tickets }, 'companies of the demo have asked the platform')
  } catch (err) {
    kit.log.warn({ err }, 'the feedback tickets of the demo are not there yet')
  }
}

/** What people did with the platform in the past. Each part is done once; one that fails is tried at the next start. */
async function fillPast({ kit, domains }: Running): Promise<void> {
  const { log } = kit
  const audit = createAudit(kit)
  const photos = createPhotos(kit)
  const riders = createRiders(kit)
  const { finance, riding, operations } = domains
  try {
    await fillRiders({ kit, audit, photos, riders, seals: createSeals(kit.secrets) })
  } catch (err) {
    log.warn({ err }, 'not all riders of the demo are complete yet')
  }
  try {
    const bills = await fillServiceBills({ kit, audit, ledger: finance.ledger })
    if (bills > 0) log.info({ bills }, 'companies of the demo were billed for what they used')
  } catch (err) {
    log.warn({ err }, 'not all service bills of the demo are there yet')
  }
  try {
    await fillWallets({ kit, ledger: finance.ledger, gifts: finance.gifts })
    await finance.cards.earn()
    await fillTickets(kit, { reportFault }, demoPicture)
    await fillInvoices({ kit, audit, photos, rides: riding.invoicing, riders })
    await fillReturnPhotos(kit, demoPicture)
    await fillTasks(kit, demoPicture)
    await moveParkApplications(kit)
    await fillRewards(kit, domains.marketing)
    await adoptDemoPlan({ operations, people: await findDemoPeople(kit) })
  } catch (err) {
    log.warn({ err }, 'not all tickets and invoices of the demo are there yet')
  }
  await addFeedback({ kit })
  try {
    await fillBank({ kit, finance, people: await findDemoPeople(kit) })
  } catch (err) {
    log.warn({ err }, 'not all accounts and withdrawals of the demo are there yet')
  }
  try {
    const recharges = await fillRecharges(kit, domains.marketing)
    if (recharges > 0) log.info({ recharges }, 'recharges of the demo were given what activities promised')
    await finance.gifts.expire()
  } catch (err) {
    log.warn({ err }, 'not all recharges of the demo were given something yet')
  }
  try {
    const people = await findDemoPeople(kit)
    const refund = riding.handlers.refundOrder
    const invites = await fillInvites(kit, { marketing: domains.marketing, finance, refund, people })
    if (invites > 0) log.info({ invites }, 'riders of the demo have invited others')
  } catch (err) {
    log.warn({ err }, 'not all invites of the demo are there yet')
  }
  try {
    // Ads open activities, cards and coupons, so these come first.
    await fillContent(kit, demoPicture)
  } catch (err) {
    log.warn({ err }, 'not all help articles and ads of the demo are there yet')
  }
  try {
    const bills = await fillChannelBills({ finance, people: await findDemoPeople(kit) })
    if (bills > 0) log.info({ bills }, 'bills of the demo are compared with its payments')
  } catch (err) {
    log.warn({ err }, 'not all bills of the demo are compared yet')
  }
  try {
    // Last of what posts: closing the days of the past is what makes them past.
    const author = (await findDemoPeople(kit)).get('13800138000')
    const days = await fillSplits(kit, { audit, finance, author })
    if (days > 0) log.info({ days }, 'days of the demo are closed')
    await fillLatestWithdrawals({ kit, finance, people: await findDemoPeople(kit) })
  } catch (err) {
    log.warn({ err }, 'not all days of the demo are closed yet')
  }
  try {
    await writeDemoCampaigns({ kit })
  } catch (err) {
    log.warn({ err }, 'not all campaigns of the demo are there yet')
  }
}
