import { supportTicketEndpoints } from '@saddle/contract/support/tickets.ts'
import { tellRefused } from '#kit/action/refused.ts'
import { useAction, type Action } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { staleTickets } from './stale.ts'

const { transitionTickets } = supportTicketEndpoints

/** Starts, closes or reopens tickets; a closing can be taken back from the message that follows. */
export const useTransition = (onDone?: () => void): Action<typeof transitionTickets> =>
  useAction(transitionTickets, {
    stale: staleTickets,
    done: ({ data: { done } }, { act }) => {
      const count = done.length
      if (count === 0) return null
      if (act === 'start') return t('已开始处理 {{count}} 张工单', { count })
      return act === 'close' ? t('已关闭 {{count}} 张工单', { count }) : reopened(count)
    },
    undo: ({ data: { done } }, { act }) =>
      act === 'close' ? { ids: done, act: 'reopen' as const, note: t('撤销关闭') } : null,
    undone: ({ data: { done } }) => reopened(done.length),
    onDone: ({ data: { refused } }) => {
      tellRefused(refused)
      onDone?.()
    },
  })

const reopened = (count: number): string => t('已重新打开 {{count}} 张工单', { count })
