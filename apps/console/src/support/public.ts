/** What pages of other domains show of riders' tickets. */
export { RiderTickets } from './tickets/RiderTickets.tsx'
