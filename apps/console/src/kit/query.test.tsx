import { expect, test } from 'vitest'
import { ApiError, onFailure } from '#kit/api/client.ts'
import { queryClient } from './query.ts'

test('a reading that meets a refused session tells everybody, and no other failure of a quiet one does', async () => {
  const told: string[] = []
  const stop = onFailure((error) => told.push(error.code))
  const read = (error: ApiError): Promise<unknown> =>
    queryClient.fetchQuery({
      queryKey: [error.code],
      queryFn: () => {
        throw error
      },
      retry: false,
    })
  await expect(read(new ApiError({ code: 'not_found', status: 404 }))).rejects.toMatchObject({ status: 404 })
  await expect(read(new ApiError({ code: 'unauthorized', status: 401 }))).rejects.toMatchObject({ status: 401 })
  stop()
  expect(told).toEqual(['unauthorized'])
})
