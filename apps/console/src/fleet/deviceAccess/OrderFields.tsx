import Select from 'antd/es/select'
import type { ReactNode } from 'react'
import { jt808ProofLabels, jt808Proofs, type Jt808Proof } from '@saddle/contract/fleet/deviceProfiles.ts'
import { t } from '#kit/i18n/index.ts'
import { orderKindLabels, orderKinds, type OrderKind } from './profileWords.ts'
import type { OrderDraft, OrderWay, ProfileDraft } from './profileDraft.ts'

const wayLabels: Readonly<Record<OrderWay, string>> = {
  terminal_control: '8105 终端控制',
  vehicle_control: '8500 车辆控制',
  text: '8300 文本下发',
  passthrough: '8900 数据透传',
  none: '不支持',
}
const ways = Object.keys(wayLabels) as OrderWay[]

/** A maker's own profile, field by field. */
export function OrderFields(props: {
  readonly draft: ProfileDraft
  readonly onChange: (draft: ProfileDraft) => void
}): ReactNode {
  const { draft, onChange } = props
  const put = (part: Partial<ProfileDraft>) => onChange({ ...draft, ...part })
  return (
    <div className="da-custom">
      {orderKinds.map((kind) => (
        <Order
          key={kind}
          kind={kind}
          order={draft.orders[kind]}
          onChange={(order) => put({ orders: { ...draft.orders, [kind]: order } })}
        />
      ))}
      <label>
        {t('最低确认依据')}
        <Select<Jt808Proof>
          aria-label={t('最低确认依据')}
          value={draft.proof}
          options={jt808Proofs.map((value) => ({ value, label: t(jt808ProofLabels[value]) }))}
          onChange={(proof) => put({ proof })}
        />
      </label>
      <fieldset className="da-order">
        <legend>{t('位置（0200）里的锁状态')}</legend>
        <Select<string>
          aria-label={t('位置（0200）里的锁状态')}
          value={draft.hasLockBit ? String(draft.lockedWhenSet) : 'none'}
          options={[
            { value: 'none', label: t('平台附加项 F8') },
            { value: 'true', label: t('状态位，1 为已锁') },
            { value: 'false', label: t('状态位，0 为已锁') },
          ]}
          onChange={(value) =>
            put(value === 'none' ? { hasLockBit: false } : { hasLockBit: true, lockedWhenSet: value === 'true' })
          }
        />
        {draft.hasLockBit && (
          <Text label={t('第几位（0 至 31）')} value={draft.bit} max={2} onChange={(bit) => put({ bit })} />
        )}
      </fieldset>
    </div>
  )
}

interface OrderProps {
  readonly kind: OrderKind
  readonly order: OrderDraft
  readonly onChange: (order: OrderDraft) => void
}

function Order({ kind, order, onChange }: OrderProps) {
  const put = (part: Partial<OrderDraft>) => onChange({ ...order, ...part })
  const isNeeded = kind === 'unlock' || kind === 'lock'
  const name = t(orderKindLabels[kind])
  return (
    <fieldset className="da-order">
      <legend>{name}</legend>
      <Select<OrderWay>
        aria-label={t('{{order}}的消息', { order: name })}
        value={order.by}
        options={ways
          .filter((way) => way !== 'none' || !isNeeded)
          .map((value) => ({ value, label: t(wayLabels[value]) }))}
        onChange={(by) => put({ by })}
      />
      {order.by === 'terminal_control' && (
        <>
          <Text
            label={t('命令字（十六进制）')}
            value={order.command}
            max={2}
            onChange={(command) => put({ command })}
          />
          <Text
            label={t('命令参数（选填）')}
            value={order.argument}
            max={200}
            onChange={(argument) => put({ argument })}
          />
        </>
      )}
      {order.by === 'vehicle_control' && (
        <>
          <Text
            label={t('2011/2013 版控制标志（十六进制）')}
            value={order.flags}
            max={2}
            onChange={(flags) => put({ flags })}
          />
          <Text
            label={t('2019 版控制项（类型=值，十六进制）')}
            value={order.controls}
            max={80}
            onChange={(controls) => put({ controls })}
          />
        </>
      )}
      {order.by === 'text' && (
        <>
          <Text label={t('文本标志（十六进制）')} value={order.flags} max={2} onChange={(flags) => put({ flags })} />
          <Text label={t('文本')} value={order.text} max={200} onChange={(text) => put({ text })} />
        </>
      )}
      {order.by === 'passthrough' && (
        <>
          <Text label={t('透传类型（十六进制）')} value={order.type} max={2} onChange={(type) => put({ type })} />
          <Text label={t('内容（十六进制）')} value={order.hex} max={600} onChange={(hex) => put({ hex })} />
        </>
      )}
    </fieldset>
  )
}

interface TextProps {
  readonly label: string
  readonly value: string
  readonly max: number
  readonly onChange: (text: string) => void
}

function Text({ label, value, max, onChange }: TextProps) {
  return (
    <label>
      {label}
      <input className="form-input" value={value} maxLength={max} onChange={(event) => onChange(event.target.value)} />
    </label>
  )
}
