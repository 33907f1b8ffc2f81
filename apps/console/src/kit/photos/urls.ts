import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import type { PickedPhoto } from './shrink.ts'

export const urlOfPhoto = ({ kind, base64 }: ShownPhoto): string => `data:image/${kind};base64,${base64}`
export const urlOfPicked = ({ base64 }: PickedPhoto): string => `data:image/jpeg;base64,${base64}`
