import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { cardProductEndpoints, shelfStateLabels, type CardProduct } from '@saddle/contract/finance/cardProducts.ts'
import { useAction } from '#kit/action/useAction.ts'
import { pageSizeMax } from '@saddle/contract/constants.ts'
import { t } from '#kit/i18n/index.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { MallPhone } from './MallPhone.tsx'
import { mallPath, shelfTones, staleMall } from './words.ts'
import './mall.css'

/** The order of the cards on the shelf of a company: by drag, or by buttons. */
export function ShelfOrder(): ReactNode {
  const found = useEndpoint(cardProductEndpoints.listCardProducts, {
    filter: { shelf: ['on', 'scheduled', 'sold_out', 'paused'] },
    pageSize: pageSizeMax,
  })
  const all = found.data?.data.list
  const companies = [...new Map((all ?? []).map(({ agentId, company }) => [agentId, company]))]
  const [agentId, setAgentId] = useState<number | null>(null)
  const chosen = agentId ?? companies[0]?.[0] ?? null
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('调整货架')}</h1>
        <ButtonLink to={mallPath}>{t('返回')}</ButtonLink>
      </header>
      {companies.length > 1 && (
        <p className="form-choices">
          {companies.map(([id, company]) => (
            <Button
              key={id}
              look={id === chosen ? 'primary' : 'outline'}
              aria-pressed={id === chosen}
              onClick={() => setAgentId(id)}
            >
              {company}
            </Button>
          ))}
        </p>
      )}
      {all === undefined ? (
        found.error === null ? (
          <Loading />
        ) : (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        )
      ) : chosen === null ? (
        <Empty title={t('货架上还没有卡')} />
      ) : (
        <Shelf key={chosen} agentId={chosen} products={all.filter((product) => product.agentId === chosen)} />
      )}
    </div>
  )
}

function Shelf({ agentId, products }: { agentId: number; products: readonly CardProduct[] }) {
  const navigate = useNavigate()
  const before = products.map(({ id }) => id)
  const [ids, setIds] = useState<readonly number[]>(before)
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const ordered = ids.flatMap((id) => products.find((product) => product.id === id) ?? [])
  const save = useAction(cardProductEndpoints.orderCardProducts, {
    stale: staleMall,
    done: () => t('已保存货架顺序'),
    undo: () => ({ agentId, ids: before }),
    onDone: () => void navigate(mallPath),
  })
  const move = (id: number, to: number): void => {
    const rest = ids.filter((other) => other !== id)
    setIds([...rest.slice(0, to), id, ...rest.slice(to)])
  }
  const list = useRef<HTMLOListElement>(null)
  useDrag(list, {
    begin: setDragged,
    over: setOver,
    end: () => {
      setDragged(null)
      setOver(null)
    },
    drop: (id, target) => move(id, ids.indexOf(target)),
  })
  const isChanged = ids.some((id, index) => id !== before[index])
  return (
    <div className="mall-form">
      <div>
        <ol ref={list} className="mall-order">
          {ordered.map(({ id, name, shelf }, index) => (
            <li key={id} draggable data-id={id} data-over={over === id && dragged !== id}>
              <span>
                {index + 1}. {name} <Mark tone={shelfTones[shelf]}>{t(shelfStateLabels[shelf])}</Mark>
              </span>
              <Button
                aria-label={t('上移“{{name}}”', { name })}
                disabled={index === 0}
                onClick={() => move(id, index - 1)}
              >
                ↑
              </Button>
              <Button
                aria-label={t('下移“{{name}}”', { name })}
                disabled={index === ordered.length - 1}
                onClick={() => move(id, index + 1)}
              >
                ↓
              </Button>
            </li>
          ))}
        </ol>
        <p className="form-choices">
          <Button
            look="primary"
            busy={save.isBusy}
            disabled={!isChanged}
            onClick={() => save.send({ agentId, ids: [...ids] })}
          >
            {t('保存货架顺序')}
          </Button>
          {!isChanged && <small>{t('拖动或用按钮改变顺序后可以保存')}</small>}
        </p>
      </div>
      <aside className="mall-side" aria-label={t('预览')}>
        <MallPhone
          cards={ordered.filter(({ shelf }) => shelf === 'on' || shelf === 'sold_out')}
          {...(dragged !== null && { ownId: dragged })}
        />
      </aside>
    </div>
  )
}

interface Drag {
  readonly begin: (id: number) => void
  readonly over: (id: number) => void
  readonly end: () => void
  readonly drop: (id: number, target: number) => void
}

/** Dragging rows of a list by mouse; the buttons beside them do the same for keyboards. */
function useDrag(list: RefObject<HTMLOListElement | null>, drag: Drag): void {
  const latest = useRef(drag)
  useEffect(() => {
    latest.current = drag
  })
  useEffect(() => {
    const own = list.current
    if (own === null) return undefined
    let dragged: number | null = null
    const idOf = ({ target }: Event): number | null => {
      const row = target instanceof Element ? target.closest<HTMLElement>('li[data-id]') : null
      return row === null ? null : Number(row.dataset.id)
    }
    const listeners = {
      dragstart: (event: Event) => {
        dragged = idOf(event)
        if (dragged !== null) latest.current.begin(dragged)
      },
      dragover: (event: Event) => {
        const id = idOf(event)
        if (dragged === null || id === null) return
        event.preventDefault()
        latest.current.over(id)
      },
      drop: (event: Event) => {
        const id = idOf(event)
        event.preventDefault()
        if (dragged !== null && id !== null) latest.current.drop(dragged, id)
      },
      dragend: () => {
        dragged = null
        latest.current.end()
      },
    }
    for (const [name, listener] of Object.entries(listeners)) own.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) own.removeEventListener(name, listener)
    }
  }, [list])
}
