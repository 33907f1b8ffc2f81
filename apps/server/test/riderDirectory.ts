/** Riders for tests of domains that do not know the riders' own. */
export { createRiders } from '#rider/public.ts'
