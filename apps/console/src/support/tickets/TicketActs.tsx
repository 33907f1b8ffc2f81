import type { ReactNode } from 'react'
import type { Ticket } from '@saddle/contract/support/tickets.ts'
import { t } from '#kit/i18n/index.ts'
import { usePanelKeys } from '#kit/list/pageKeys.ts'
import { Button } from '#kit/plain/Button.tsx'
import { AssignTo } from './AssignTo.tsx'
import { useTransition } from './useTransition.ts'

/** Who works on a ticket, and whether it is open. `1` takes it, `2` closes it. */
export function TicketActs({ ticket }: { readonly ticket: Ticket }): ReactNode {
  const { send, isBusy } = useTransition()
  const { id, state } = ticket
  const take = (act: 'start' | 'close' | 'reopen') => () => send({ ids: [id], act })
  const isAnswered = state === 'closed' || state === 'resolved'
  usePanelKeys([
    ...(state === 'open' ? [{ key: '1', label: t('我来处理'), run: take('start') }] : []),
    ...(state === 'closed' ? [] : [{ key: '2', label: t('关闭工单'), run: take('close') }]),
  ])
  return (
    <>
      {!isAnswered && <AssignTo label={t('指派给…')} tickets={[ticket]} showsNow />}
      {state === 'open' && (
        <Button look="primary" busy={isBusy} onClick={take('start')}>
          {t('我来处理')}
        </Button>
      )}
      {isAnswered && (
        <Button busy={isBusy} onClick={take('reopen')}>
          {t('重新打开')}
        </Button>
      )}
      {state !== 'closed' && (
        <Button busy={isBusy} onClick={take('close')}>
          {t('关闭工单')}
        </Button>
      )}
    </>
  )
}
