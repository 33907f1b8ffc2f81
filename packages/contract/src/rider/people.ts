/** Bounds and forms of what is known of a person. */
export const riderNameMax = 30
/** A resident's number of 18 places; a passport or permit of 6 to 20 letters and digits. */
export const certNumberPattern = /^(?:\d{17}[\dX]|[A-Z][A-Z\d]{5,19})$/
