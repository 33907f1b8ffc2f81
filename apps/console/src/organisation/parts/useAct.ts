import { useMutation } from '@tanstack/react-query'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { isApiError, wordsOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { endpointKey, queryClient } from '#kit/query.ts'

/** Failures that the app tells globally (specification, section 8). */
const toldGlobally = new Set([0, 401, 403, 404])

/** Does something that is more than one call; a refusal is told, and the named readings are read again. */
export function useAct<I, O>(
  work: (input: I) => Promise<O>,
  options: { readonly invalidates: readonly Endpoint[]; readonly onSuccess?: (done: O, input: I) => void },
) {
  const refresh = () =>
    Promise.all(options.invalidates.map((other) => queryClient.invalidateQueries({ queryKey: endpointKey(other) })))
  return useMutation<O, Error, I>({
    mutationFn: work,
    onSuccess: (done, input) => {
      void refresh()
      options.onSuccess?.(done, input)
    },
    onError: (error) => {
      // What was refused because it is out of date is shown as it is now.
      void refresh()
      if (!isApiError(error)) notify.error({ text: t('请稍后再试') })
      else if (!toldGlobally.has(error.status)) notify.error({ title: t(error.title), text: wordsOf(error) })
    },
  })
}
