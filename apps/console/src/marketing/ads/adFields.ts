import {
  adEndpoints,
  adPageLabels,
  adPages,
  adSlotLabels,
  adSlots,
  adTargetPages,
  type AdContent,
  type AdLink,
  type AdPage,
  type AdSlot,
  type AdState,
  type AdTargetPage,
} from '@saddle/contract/marketing/ads.ts'
import { businessOffsetMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { choice, many, select, type Option } from '#kit/form/choiceFields.tsx'
import type { Inputs, Values } from '#kit/form/field.ts'
import { moment } from '#kit/form/otherFields.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import type { Tone } from '#kit/ui/Mark.tsx'
import { clockText, minuteOfClock } from '../telephones/telephoneFields.tsx'
import { picture } from './PictureField.tsx'

/** Readings that an act on placements makes stale. */
export const staleAds = [adEndpoints.listAds, adEndpoints.adVersions]

/** What a link can open, by the page that shows it. */
export type AdTargets = Readonly<Partial<Record<AdTargetPage, readonly Option<number>[]>>>

const targetLabels: Readonly<Record<AdTargetPage, string>> = {
  activity: '打开的活动',
  mall: '打开的卡',
  coupon: '打开的优惠券',
  help: '打开的文章',
}

export const toneOfAd: Readonly<Record<AdState, Tone>> = {
  draft: 'off',
  scheduled: 'info',
  on: 'good',
  paused: 'warn',
  ended: 'off',
}

/** `YYYY-MM-DD HH:mm` by business time. */
const momentText = (ms: number): string => new Date(ms + businessOffsetMs).toISOString().slice(0, 16).replace('T', ' ')

const clock = (label: string, minute: number | undefined) => ({
  ...text({ label, initial: minute === undefined ? '' : clockText(minute), isOptional: true, at: 'content.hours' }),
  read: (typed: string) => {
    if (typed.trim() === '') return { value: undefined }
    const found = minuteOfClock(typed)
    return found === null ? { fault: t('时间应为 09:00 这样的格式') } : { value: found }
  },
})

type To = AdLink['to']

interface About {
  readonly agentId: number
  readonly slot: AdSlot
  readonly areas: readonly Option<number>[]
  readonly targets: AdTargets
}

/** The fields of a placement; they begin with those of another version or placement. */
export function adFormFields(of: AdContent | null, { agentId, slot, areas, targets }: About) {
  const link = of?.link
  const page = link?.to === 'page' ? link : null
  const target = (shownOn: AdTargetPage) =>
    select<number>({
      label: t(targetLabels[shownOn]),
      isOptional: true,
      placeholder: t('不选则打开列表'),
      at: 'content.link.id',
      refusals: ['ad_target_missing'],
      options: targets[shownOn] ?? [],
      initial: page?.page === shownOn ? page.id : null,
    })
  const own = { agentId, slot, refusals: ['photo_missing', 'ad_picture_unfit'] as const }
  return {
    name: text({ label: t('名称'), note: t('骑行者看不到'), at: 'content.name', initial: of?.name ?? '' }),
    photoId: picture({ label: t('图片'), at: 'content.photoId', initial: of?.photoId ?? null, ...own }),
    text: text({ label: t('文字'), at: 'content.text', initial: of?.text ?? '', isOptional: true }),
    photoIdEn: picture({
      label: t('英文图片'),
      note: t('不填则同上'),
      at: 'content.photoIdEn',
      initial: of?.photoIdEn ?? null,
      ...own,
    }),
    textEn: text({ label: t('英文文字'), at: 'content.textEn', initial: of?.textEn ?? '', isOptional: true }),
    to: choice<To>({
      label: t('点击后打开'),
      initial: link?.to ?? 'none',
      options: [
        { value: 'none', label: t('不打开') },
        { value: 'page', label: t('应用内页面') },
        { value: 'web', label: t('网页') },
      ],
    }),
    url: text({
      label: t('网址'),
      at: 'content.link.url',
      initial: link?.to === 'web' ? link.url : '',
      placeholder: 'https://',
      inputMode: 'url',
    }),
    page: select<AdPage>({
      label: t('页面'),
      initial: page?.page ?? 'activity',
      options: adPages.map((value) => ({ value, label: t(adPageLabels[value]) })),
    }),
    activity: target('activity'),
    mall: target('mall'),
    coupon: target('coupon'),
    help: target('help'),
    areaIds: many<number>({
      label: t('适用服务区'),
      note: t('不选则全部'),
      at: 'content.areaIds',
      options: areas,
      initial: of?.areaIds ?? [],
    }),
    startsAt: moment({
      label: t('开始时间'),
      at: 'content.startsAt',
      initial: momentText(of?.startsAt ?? serverNow()),
    }),
    endsAt: moment({
      label: t('结束时间'),
      note: t('不填则长期'),
      at: 'content.endsAt',
      isOptional: true,
      ...(of !== null && of.endsAt !== null && { initial: momentText(of.endsAt) }),
    }),
    hoursFrom: clock(t('每日开始'), of?.hours?.from),
    hoursTo: clock(t('每日结束'), of?.hours?.to),
    weight: number({
      label: t('权重'),
      hint: t('同一广告位有多个广告时，权重越大越常排在前面'),
      at: 'content.weight',
      initial: of?.weight ?? 10,
    }),
    riderDayCap: number({
      label: t('每人每日展示上限'),
      unit: t('次'),
      isOptional: true,
      at: 'content.riderDayCap',
      ...(of !== null && of.riderDayCap !== null && { initial: of.riderDayCap }),
    }),
  }
}

type AdForm = ReturnType<typeof adFormFields>

/** Fields that the link has nothing to do with are not shown; hours come in pairs. */
export function adjustAd(values: Pick<Values<AdForm>, 'to' | 'page' | 'hoursFrom' | 'hoursTo'>) {
  const opens = (page: AdTargetPage) => ({ isHidden: values.to !== 'page' || values.page !== page })
  const isHalf = (values.hoursFrom === '') !== (values.hoursTo === '')
  return {
    url: { isHidden: values.to !== 'web' },
    page: { isHidden: values.to !== 'page' },
    activity: opens('activity'),
    mall: opens('mall'),
    coupon: opens('coupon'),
    help: opens('help'),
    hoursTo: { fault: isHalf ? t('请填写每日开始与结束，或都留空') : null },
  }
}

/** The page that a choice of one thing belongs to; undefined for a page without such things. */
const targetPageOf = (page: AdPage): AdTargetPage | undefined => adTargetPages.find((one) => one === page)

const linkOf = (values: Inputs<AdForm>): AdLink => {
  const { to, page, url } = values
  if (to === 'web') return { to, url }
  if (to === 'none') return { to }
  const shownOn = targetPageOf(page)
  return { to, page, id: shownOn === undefined ? null : (values[shownOn] ?? null) }
}

/** The content as the call takes it. */
export function adContentOf(values: Inputs<AdForm>): AdContent {
  const { name, photoId, photoIdEn, areaIds, startsAt = 0, endsAt, hoursFrom: from, hoursTo: to, weight } = values
  return {
    name,
    photoId,
    photoIdEn,
    text: values.text ?? '',
    textEn: values.textEn ?? '',
    link: linkOf(values),
    areaIds,
    startsAt,
    endsAt: endsAt ?? null,
    hours: from === undefined || to === undefined ? null : { from, to },
    weight,
    riderDayCap: values.riderDayCap ?? null,
  }
}

/** What the phone shows while somebody types. */
export function shownWhileTyping(values: Values<AdForm>, targets: AdTargets) {
  const { name, photoId, text: typed, to, url, page } = values
  const shownOn = page === null ? undefined : targetPageOf(page)
  const id = shownOn === undefined ? null : values[shownOn]
  const link: AdLink =
    to === 'web' ? { to, url } : to === 'page' ? { to, page: page ?? 'activity', id } : { to: 'none' }
  const chosen = shownOn === undefined ? undefined : targets[shownOn]?.find(({ value }) => value === id)
  return { name, photoId, text: typed, link, targetName: chosen?.label ?? null }
}

export const slotOptions = () => adSlots.map((value) => ({ value, label: t(adSlotLabels[value]) }))
