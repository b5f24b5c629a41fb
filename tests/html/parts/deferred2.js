console.log('deferred 2');
