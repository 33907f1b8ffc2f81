import type { Access, RequestOf } from '@saddle/contract/endpoint.ts'
import type { AllCalls } from '@saddle/contract/endpoints.ts'
import type { TenantFixture } from '#test/tenants.ts'

type Guarded<A extends Access> = A extends 'public' | 'presession' | 'cookie' | 'app' ? never : A
/** Calls of a session: the ones that could reach another tenant. */
export type SealedName = {
  [K in keyof AllCalls]: Guarded<AllCalls[K]['permission']> extends never ? never : K
}[keyof AllCalls]

/** What a call asks for when it reaches for a thing of the given tenant (or, where it names nothing, just calls). */
export type Specimens = { readonly [K in SealedName]: (of: TenantFixture, phone: string) => RequestOf<AllCalls[K]> }

/** Further ways to name the same thing: by number, by device, by keyword, in the area that the caller is not held to. */
export type OtherSpecimens = { readonly [K in SealedName]?: readonly ((of: TenantFixture) => RequestOf<AllCalls[K]>)[] }
