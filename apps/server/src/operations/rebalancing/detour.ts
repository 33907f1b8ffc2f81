/** Streets do not run straight: what a van drives for a metre as the crow flies. */
export const detour = 1.3
