import { returnEndpoints, type ListedReview } from '@saddle/contract/riding/returns.ts'
import { call } from '#kit/api/client.ts'

/** The key and the call of a return's photos. */
export const photosOf = ({ orderId, photoCount }: ListedReview) => ['return', orderId, photoCount]

export const loadPhotos = async (orderId: number, signal: AbortSignal) =>
  (await call(returnEndpoints.returnPhotos, { orderId }, { signal })).data.list
