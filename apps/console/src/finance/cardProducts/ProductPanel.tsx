import { useState, type ReactNode } from 'react'
import { cardStateLabels } from '@saddle/contract/finance/cards.ts'
import { cardProductEndpoints, shelfStateLabels, type CardProduct } from '@saddle/contract/finance/cardProducts.ts'
import { useAction } from '#kit/action/useAction.ts'
import { areasText, useAreaNames } from '#kit/areaNames.ts'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { openDayOf } from '#kit/span.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { MallPhone } from './MallPhone.tsx'
import { SoldCardsOf } from './SoldCards.tsx'
import { differences, lengthText, mallPath, promiseText, shelfTones, staleMall } from './words.ts'

const views = ['waiting', 'active', 'over', 'refunded', 'lapsed', 'given'] as const
type View = (typeof views)[number] | 'all' | 'days' | 'versions' | 'phone'

/** One card: what it promises, what it has sold, and what can be done with it. */
export function ProductPanel({ product }: { product: CardProduct }): ReactNode {
  const { id, terms, shelf } = product
  const names = useAreaNames()
  const [view, setView] = useState<View>('days')
  const figures = useEndpoint(cardProductEndpoints.cardProductFigures, { id })
  const data = figures.data?.data
  const choice = (name: View, label: string) => (
    <Button key={name} aria-pressed={view === name} onClick={() => setView(name)}>
      {label}
    </Button>
  )
  const opens = (name: View, text: string) => (
    <Button look="link" onClick={() => setView(name)}>
      {text}
    </Button>
  )
  return (
    <DetailPanel
      label={t('卡详情')}
      title={
        <>
          <strong>{product.name}</strong> <Mark tone={shelfTones[shelf]}>{t(shelfStateLabels[shelf])}</Mark>
        </>
      }
      foot={<Acts product={product} />}
    >
      <Facts
        facts={[
          [t('每次骑行'), promiseText(terms)],
          [t('有效期'), lengthText(terms)],
          [t('售价'), t('{{yuan}} 元', { yuan: money(product.priceCents) })],
          [t('适用服务区'), areasText(terms.areaIds, names)],
          [t('每人限购'), terms.riderMax === null ? t('不限', { context: 'limit' }) : number(terms.riderMax)],
          [t('剩余库存'), product.left === null ? t('不限', { context: 'limit' }) : number(product.left)],
          [t('售期'), saleText(product)],
          [t('加盟商'), product.company],
        ]}
      />
      {data === undefined ? (
        figures.error === null ? (
          <Loading />
        ) : (
          <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />
        )
      ) : (
        <>
          <Facts
            facts={[
              [t('销售额'), opens('all', money(data.salesCents))],
              [t('退卡金额'), opens('refunded', money(data.refundedCents))],
              [t('尚未确认收入'), opens('all', money(data.unearnedCents))],
              [t('购卡人数'), opens('all', number(data.riders))],
              [t('用卡骑行'), opens('all', number(data.rides))],
              [t('为骑行者省'), opens('all', money(data.savedCents))],
            ]}
          />
          <p className="form-choices">
            {choice('days', t('每日售出'))}
            {choice('all', t('全部售出'))}
            {views.map((name) => choice(name, `${labelOf(name)} ${number(data[name])}`))}
            {choice('versions', t('历次规则'))}
            {choice('phone', t('手机预览'))}
          </p>
          {view === 'days' ? (
            <LineChart
              title={t('近 30 天每日售出')}
              unit={t('张')}
              labels={data.days.map(({ day }) => day.slice(5))}
              openFrom={openDayOf(data.days.map(({ day }) => day))}
              values={data.days.map((one) => one.sold)}
            />
          ) : view === 'versions' ? (
            <Versions id={id} />
          ) : view === 'phone' ? (
            <MallPhone cards={[{ id, terms, left: product.left }]} />
          ) : (
            <SoldCardsOf key={view} fixed={fixedOf(id, view)} />
          )}
        </>
      )}
    </DetailPanel>
  )
}

const labelOf = (view: (typeof views)[number]): string => (view === 'given' ? t('已赠送') : t(cardStateLabels[view]))

function fixedOf(productId: number, view: 'all' | (typeof views)[number]) {
  if (view === 'all') return { productId }
  return view === 'given' ? { productId, payers: ['gift'] } : { productId, states: [view] }
}

function saleText({ terms: { onFrom, onTo } }: CardProduct): string {
  if (onFrom === null && onTo === null) return t('不限', { context: 'limit' })
  return t('{{from}} 至 {{to}}', {
    from: onFrom === null ? t('不限', { context: 'limit' }) : dateTime(onFrom).slice(0, 16),
    to: onTo === null ? t('不限', { context: 'limit' }) : dateTime(onTo).slice(0, 16),
  })
}

/** Each version with who made it when, and what it changed. */
function Versions({ id }: { id: number }) {
  const names = useAreaNames()
  const { data } = useEndpoint(cardProductEndpoints.cardProductVersions, { id })
  const list = data?.data.list ?? []
  return (
    <Facts
      facts={list.map(({ version, terms, madeAt, madeBy }, index) => {
        const before = list[index + 1]
        const changed = before === undefined ? [t('新增')] : differences(before.terms, terms, names)
        return [
          t('版本 {{version}}', { version }),
          `${changed.length === 0 ? t('没有变化') : changed.join(t('；'))} · ${madeBy} · ${dateTime(madeAt)}`,
        ]
      })}
    />
  )
}

function Acts({ product }: { product: CardProduct }) {
  const { id, state, name } = product
  const [isEnding, setEnding] = useState(false)
  const turn = useAction(cardProductEndpoints.switchCardProduct, {
    stale: staleMall,
    done: ({ data }) => (data.state === 'on' ? t('已上架') : t('已停售')),
    undo: (_, input) =>
      state === 'draft' ? null : { id, state: input.state === 'on' ? ('paused' as const) : ('on' as const) },
  })
  if (state === 'ended') {
    return (
      <p className="form-choices">
        <ButtonLink to={`${mallPath}?from=${id}`}>{t('复制')}</ButtonLink>
      </p>
    )
  }
  return (
    <p className="form-choices">
      <Button onClick={() => setEnding(true)}>{t('下架')}</Button>
      <ButtonLink to={`${mallPath}?from=${id}`}>{t('复制')}</ButtonLink>
      <ButtonLink to={`${mallPath}?edit=${id}`}>{t('修改')}</ButtonLink>
      <Button busy={turn.isBusy} onClick={() => turn.send({ id, state: state === 'on' ? 'paused' : 'on' })}>
        {state === 'on' ? t('停售') : t('上架')}
      </Button>
      {isEnding && (
        <FormDialog
          title={t('下架“{{name}}”', { name })}
          call={cardProductEndpoints.switchCardProduct}
          about={id}
          fields={{}}
          input={() => ({ id, state: 'ended' as const })}
          submit={t('下架，不再恢复')}
          stale={staleMall}
          done={() => t('已下架')}
          onClose={() => setEnding(false)}
        >
          <p>
            {t('下架后不能再上架，只能复制为新的卡；已售出的 {{count}} 张继续有效。', { count: product.activeCards })}
          </p>
        </FormDialog>
      )}
    </p>
  )
}
