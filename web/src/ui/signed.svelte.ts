// Whether this page was signed out while it was open: in another tab, or from another device.

export const signed = $state({ out: false });
