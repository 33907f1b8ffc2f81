/** Query parameter of a quick-login link. */
export const quickLoginQuery = 'origin'
