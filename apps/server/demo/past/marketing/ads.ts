import type { AdContent, AdSlot, AdStep } from '@saddle/contract/marketing/ads.ts'

export interface DemoAd {
  readonly slot: AdSlot
  readonly content: Partial<AdContent>
  /** Name of the one thing that the link opens; where the company lacks it, the link opens the page with all of them. */
  readonly opens?: string
  /** Absent: a draft. */
  readonly steps: readonly AdStep[]
  /** Days from now at which it begins and ends. */
  readonly days: readonly [from: number, to: number | null]
}

/** Ads of the demo's companies: every slot and every state. */
export const demoAds: readonly DemoAd[] = [
  {
    slot: 'popup',
    days: [-20, 20],
    steps: ['start'],
    opens: '充多送多',
    content: {
      name: '充值有礼',
      text: '充 50 送 10，限时三周',
      textEn: 'Top up 50, get 10 more',
      link: { to: 'page', page: 'activity', id: null },
      riderDayCap: 1,
    },
  },
  {
    slot: 'banner',
    days: [-24, null],
    steps: ['start'],
    opens: '七日骑行卡',
    content: {
      name: '骑行卡上新',
      text: '周卡 9.9 元起',
      textEn: 'Weekly cards from 9.9',
      link: { to: 'page', page: 'mall', id: null },
      weight: 60,
    },
  },
  {
    slot: 'banner',
    days: [-24, null],
    steps: ['start'],
    content: {
      name: '邀请好友',
      text: '邀请一位好友，各得一张券',
      textEn: 'Invite a friend, both get a coupon',
      link: { to: 'page', page: 'invite', id: null },
      weight: 30,
    },
  },
  {
    slot: 'banner',
    days: [-24, -3],
    steps: ['start'],
    opens: '雨天五折',
    content: {
      name: '双十一半价',
      text: '双十一，骑行半价',
      textEn: 'Half price',
      link: { to: 'page', page: 'coupon', id: null },
      weight: 10,
    },
  },
  {
    slot: 'scan',
    days: [-18, null],
    steps: ['start'],
    opens: '安全骑行须知',
    content: {
      name: '头盔提醒',
      text: '出发前请戴好头盔',
      textEn: 'Wear a helmet',
      link: { to: 'page', page: 'help', id: null },
    },
  },
  {
    slot: 'ride_end',
    days: [-15, 30],
    steps: ['start'],
    content: {
      name: '咖啡店联名',
      text: '骑行结束，咖啡立减 5 元',
      textEn: 'Five yuan off a coffee',
      link: { to: 'web', url: 'https://example.com/coffee' },
      hours: { from: 420, to: 1_140 },
      weight: 20,
    },
  },
  {
    slot: 'ride_end',
    days: [-15, null],
    steps: ['start', 'pause'],
    content: { name: '评价有礼', text: '评价本次骑行', textEn: 'Rate your ride', link: { to: 'none' } },
  },
  {
    slot: 'mine',
    days: [-22, null],
    steps: ['start', 'end'],
    content: {
      name: '学生认证',
      text: '学生认证享八折',
      textEn: 'Students ride for less',
      link: { to: 'page', page: 'wallet', id: null },
    },
  },
  {
    slot: 'mine',
    days: [3, 40],
    steps: ['start'],
    opens: '常客立减 1 元',
    content: {
      name: '年终回馈',
      text: '十二月三十一日前骑行，每单返一张两元券',
      textEn: 'Ride before 31 December and get a CNY 2 coupon for each ride',
      link: { to: 'page', page: 'coupon', id: null },
    },
  },
  {
    slot: 'scan',
    days: [1, null],
    steps: [],
    content: { name: '雨天提示', text: '雨天路滑，请慢行', textEn: 'Slow down in rain', link: { to: 'none' } },
  },
]
