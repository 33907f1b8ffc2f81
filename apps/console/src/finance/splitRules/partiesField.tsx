import type { ReactNode } from 'react'
import { splitPartiesMax, type SplitShare } from '@saddle/contract/finance/splitTerms.ts'
import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { SelectOne } from '#kit/ui/SelectOne.tsx'

/** A party as it is typed. */
interface TypedParty {
  readonly name: string
  readonly of: SplitShare['of']
  readonly amount: string
}

export type Party = { readonly name: string; readonly share: SplitShare }

const typedOf = ({ name, share }: Party): TypedParty => ({
  name,
  of: share.of,
  amount: share.of === 'ride' ? yuanText(share.cents) : String(share.basisPoints / 100),
})
const emptyParty: TypedParty = { name: '', of: 'rest', amount: '' }

/** The parties that can be read so far; a preview needs no more. */
export function partiesSoFar(typed: readonly TypedParty[]): Party[] {
  return typed.flatMap(({ name, of, amount }) => {
    const hundredths = centsOfYuan(amount)
    if (name.trim() === '' || hundredths === null || hundredths === 0) return []
    // Two decimals of a percentage are its basis points, as two decimals of a yuan are its cents.
    const share: SplitShare = of === 'ride' ? { of, cents: hundredths } : { of, basisPoints: hundredths }
    return [{ name: name.trim(), share }]
  })
}

/** Who gets a part, and which. The company keeps the rest. */
export function partiesField(
  options: Common & { readonly initial: readonly Party[] },
): Field<readonly TypedParty[], Party[]> {
  const { initial, ...rest } = options
  return {
    ...rest,
    isGroup: true,
    initial: initial.map(typedOf),
    read: (typed) => {
      for (const [index, { name, amount }] of typed.entries()) {
        const count = index + 1
        if (name.trim() === '') return { fault: t('请填写第 {{count}} 个分账方的名称', { count }) }
        const hundredths = centsOfYuan(amount)
        if (hundredths === null || hundredths === 0) return { fault: t('第 {{count}} 个分账方的份额不正确', { count }) }
      }
      return { value: partiesSoFar(typed) }
    },
    control: (props) => <PartiesInput {...props} />,
  }
}

function PartiesInput({ value, onChange, isInvalid, describedBy }: ControlProps<readonly TypedParty[]>): ReactNode {
  const change = (at: number, part: Partial<TypedParty>) =>
    onChange(value.map((party, index) => (index === at ? { ...party, ...part } : party)))
  const isFull = value.length >= splitPartiesMax
  return (
    <div className="split-parties" aria-describedby={describedBy}>
      {value.map((party, at) => (
        // A party has no other name than its place while it is typed.
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={at} className="split-party" aria-label={t('第 {{count}} 个分账方', { count: at + 1 })}>
          <label>
            <small>{t('名称')}</small>
            <input
              className="form-input"
              autoComplete="off"
              maxLength={40}
              value={party.name}
              aria-invalid={isInvalid && party.name.trim() === ''}
              onChange={({ target }) => change(at, { name: target.value })}
            />
          </label>
          <label>
            <small>{t('方式')}</small>
            <SelectOne<'rest' | 'ride'>
              label={t('方式')}
              value={party.of}
              options={[
                { value: 'rest', label: t('按比例（%）') },
                { value: 'ride', label: t('每笔固定（元）') },
              ]}
              onChange={(of) => change(at, { of })}
            />
          </label>
          <label>
            <small>{party.of === 'ride' ? t('金额（元）') : t('比例（%）')}</small>
            <input
              className="form-input"
              inputMode="decimal"
              autoComplete="off"
              value={party.amount}
              aria-invalid={isInvalid && centsOfYuan(party.amount) === null}
              onChange={({ target }) => change(at, { amount: target.value })}
            />
          </label>
          <Button
            aria-label={t('删除第 {{count}} 个分账方', { count: at + 1 })}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          >
            {t('删除')}
          </Button>
        </fieldset>
      ))}
      <Button
        disabled={isFull}
        title={isFull ? t('最多 {{count}} 个分账方', { count: splitPartiesMax }) : undefined}
        onClick={() => onChange([...value, emptyParty])}
      >
        {t('增加分账方')}
      </Button>
    </div>
  )
}
