import {
  builtInProfiles,
  jt808OrderSchema,
  jt808ProfileSchema,
  type Jt808ModelProfile,
  type Jt808Order,
  type Jt808Proof,
} from '@saddle/contract/fleet/deviceProfiles.ts'
import { t } from '#kit/i18n/index.ts'
import { orderKindLabels, orderKinds, type OrderKind } from './profileWords.ts'

/** `none`: the devices know no such command. */
export type OrderWay = Jt808Order['by'] | 'none'

/** One order as it is typed; numbers are hexadecimal, as makers write them. */
export type OrderDraft = {
  by: OrderWay
  command: string
  argument: string
  flags: string
  controls: string
  text: string
  type: string
  hex: string
}
export type ProfileDraft = {
  orders: Record<OrderKind, OrderDraft>
  proof: Jt808Proof
  hasLockBit: boolean
  bit: string
  lockedWhenSet: boolean
}

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0')
const emptyOrder: OrderDraft = {
  by: 'none',
  command: '',
  argument: '',
  flags: '00',
  controls: '0001=01',
  text: '',
  type: '',
  hex: '',
}

function orderDraftOf(order: Jt808Order | null): OrderDraft {
  if (order === null) return emptyOrder
  switch (order.by) {
    case 'terminal_control':
      return { ...emptyOrder, by: order.by, command: hex(order.command), argument: order.argument ?? '' }
    case 'vehicle_control': {
      const controls = order.controls.map(({ type, value }) => `${hex(type).padStart(4, '0')}=${hex(value)}`).join(' ')
      return { ...emptyOrder, by: order.by, flags: hex(order.flags), controls }
    }
    case 'text':
      return { ...emptyOrder, by: order.by, flags: hex(order.flags), text: order.text }
    case 'passthrough':
      return { ...emptyOrder, by: order.by, type: hex(order.type), hex: order.hex.toUpperCase() }
  }
}

export function draftOf(profile: Jt808ModelProfile = builtInProfiles.standard): ProfileDraft {
  const { unlock, lock, ring, open_battery: battery } = profile.orders
  const { lockBit } = profile
  return {
    orders: {
      unlock: orderDraftOf(unlock),
      lock: orderDraftOf(lock),
      ring: orderDraftOf(ring),
      open_battery: orderDraftOf(battery),
    },
    proof: profile.proof,
    hasLockBit: lockBit !== null,
    bit: String(lockBit?.bit ?? 12),
    lockedWhenSet: lockBit?.lockedWhenSet ?? true,
  }
}

/** NaN when the text is not a number; the schema then rejects it. */
const fromHex = (text: string): number => (/^[0-9a-f]+$/i.test(text.trim()) ? Number.parseInt(text, 16) : Number.NaN)

function orderOf(draft: OrderDraft): unknown {
  const { by, argument } = draft
  switch (by) {
    case 'none':
      return null
    case 'terminal_control':
      return { by, command: fromHex(draft.command), ...(argument !== '' && { argument }) }
    case 'vehicle_control': {
      const controls = draft.controls
        .trim()
        .split(/[\s,，]+/)
        .map((pair) => pair.split('='))
        .map(([type = '', value = '', ...more]) => ({
          type: fromHex(type),
          value: more.length === 0 ? fromHex(value) : Number.NaN,
        }))
      return { by, flags: fromHex(draft.flags), controls }
    }
    case 'text':
      return { by, flags: fromHex(draft.flags), text: draft.text }
    case 'passthrough':
      return { by, type: fromHex(draft.type), hex: draft.hex.replaceAll(/\s/g, '').toLowerCase() }
  }
}

/** What is wrong with an order; null when nothing is. */
function faultOf(kind: OrderKind, draft: OrderDraft): string | null {
  const order = t(orderKindLabels[kind])
  const isNeeded = kind === 'unlock' || kind === 'lock'
  switch (draft.by) {
    case 'none':
      return isNeeded ? t('{{order}}：车锁必须有指令', { order }) : null
    case 'terminal_control':
      return isSound(draft) ? null : t('{{order}}：命令字须为 00 至 FF', { order })
    case 'vehicle_control':
      return isSound(draft) ? null : t('{{order}}：控制标志须为 00 至 FF，控制项写作 0001=01，最多 8 项', { order })
    case 'text':
      return isSound(draft) ? null : t('{{order}}：标志须为 00 至 FF，文本不能为空', { order })
    case 'passthrough':
      return isSound(draft) ? null : t('{{order}}：类型须为 00 至 FF，内容须为成对的十六进制数字', { order })
  }
}

const isSound = (draft: OrderDraft): boolean => jt808OrderSchema.safeParse(orderOf(draft)).success

/** The profile of a draft; null, with the errors in field order, when the draft is invalid. */
export function readDraft(draft: ProfileDraft): { profile: Jt808ModelProfile | null; faults: string[] } {
  const faults = orderKinds.flatMap((kind) => faultOf(kind, draft.orders[kind]) ?? [])
  const { orders, proof, hasLockBit, lockedWhenSet } = draft
  const isBit = /^\d{1,2}$/.test(draft.bit.trim()) && Number(draft.bit) <= 31
  if (hasLockBit && !isBit) faults.push(t('状态位须为 0 至 31'))
  const read = jt808ProfileSchema.safeParse({
    protocol: 'jt808',
    orders: Object.fromEntries(orderKinds.map((kind) => [kind, orderOf(orders[kind])])),
    proof,
    lockBit: hasLockBit ? { bit: Number(draft.bit), lockedWhenSet } : null,
  })
  return { profile: read.data ?? null, faults }
}
