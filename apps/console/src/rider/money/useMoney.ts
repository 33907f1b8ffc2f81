import { useRef } from 'react'
import { useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { cardEndpoints } from '@saddle/contract/finance/cards.ts'
import { depositEndpoints } from '@saddle/contract/finance/deposits.ts'
import { secondPersonEndpoints } from '@saddle/contract/finance/secondPerson.ts'
import { walletEndpoints } from '@saddle/contract/finance/wallet.ts'
import { centsOfYuan } from '@saddle/contract/money.ts'
import { riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'
import type { AnswerOf, ApiError } from '#kit/api/client.ts'
import { endpointKey, tellRefusal, useEndpointMutation, type MutationInput } from '#kit/query.ts'

const stale = [
  secondPersonEndpoints.moneyActs,
  walletEndpoints.userWallet,
  walletEndpoints.riderPayments,
  walletEndpoints.failedRefunds,
  depositEndpoints.listDeposits,
  cardEndpoints.myCards,
  riderPeopleEndpoints.riderDetail,
  timelineEndpoints.riderTimeline,
]

/**
 * An act on a rider's money: everything that shows it is read anew afterwards. `onHeld`: it waits for a second person, and
 * there is nothing left to do here.
 */
export function useMoneyAct<E extends Endpoint>(
  endpoint: E,
  onSuccess: (answer: AnswerOf<E>) => void,
  onHeld?: () => void,
): UseMutationResult<AnswerOf<E>, ApiError, MutationInput<E>> {
  const queries = useQueryClient()
  // The second click of a double click comes before the button is drawn as busy.
  const isSent = useRef(false)
  const mutation = useEndpointMutation(endpoint, {
    invalidates: stale,
    onSuccess: (answer) => {
      isSent.current = false
      onSuccess(answer)
    },
    onError: (error) => {
      isSent.current = false
      tellRefusal(error)
      if (error.code !== 'money_held') return
      void queries.invalidateQueries({ queryKey: endpointKey(secondPersonEndpoints.moneyActs) })
      onHeld?.()
    },
  })
  const mutate: typeof mutation.mutate = (...sent) => {
    if (isSent.current) return
    isSent.current = true
    mutation.mutate(...sent)
  }
  return { ...mutation, mutate }
}

/** An amount as a person types it; null for none and for nothing. */
export const amountOf = (text: string): number | null => centsOfYuan(text) || null
