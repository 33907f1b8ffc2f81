import { useState } from 'react'
import { useScope } from '#kit/session/scope.ts'

interface ChosenCompany {
  /** The one company that the page's head has chosen. */
  readonly chosen: number | undefined
  /** The company that is meant; undefined: the person's own. */
  readonly agentId: number | undefined
  readonly choose: (agentId: number | undefined) => void
}

/** One company in the head of the page is the company that is meant; otherwise the person chooses one. */
export function useChosenCompany(): ChosenCompany {
  const [asked, choose] = useState<number | undefined>()
  const { selection } = useScope()
  const [only, ...others] = selection.agentIds ?? []
  const chosen = others.length === 0 ? only : undefined
  return { chosen, agentId: chosen ?? asked, choose }
}
