/** What pages of other domains show of riders' invites. */
export { RiderInvites } from './invites/RiderInvites.tsx'
